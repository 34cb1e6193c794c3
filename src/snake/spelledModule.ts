/** The classes and functions of cvkit under snake_case names. */
import { InvalidOptionError, phrase, sentence } from '../core/errors.js';
import { snakeCase } from '../core/names.js';
import { arranged, type Positions } from './arranged.js';
import { positionsOf } from './positions.js';
import { attempt, CALLS } from './respelled.js';
import { placed } from './sources.js';
import { given, prototypeFor, spelled } from './spelled.js';
import type { SnakeClass, SnakeFunction } from './types.js';

type Class = new (...args: never[]) => object;
const classes = new WeakMap<Class, unknown>();
/** Every object has something of this name; the compiler need not think of it. */
const CONSTRUCTOR: string = 'constructor';
const BY_NAME: Positions = { first: [], options: [] };

/**
 * A class of cvkit, to be called with and without `new`, with its options by name or in the order of the original interface.
 * An alias is the same class.
 */
export function spelledClass<C extends Class, N extends string>(Given: C, _name?: N): SnakeClass<C, N> {
  const known = classes.get(Given);
  if (known) return known as SnakeClass<C, N>;
  const { name } = Given;
  const positions = positionsOf(name, CONSTRUCTOR) ?? BY_NAME;
  function made(...args: unknown[]) {
    return attempt(() => {
      if (new.target && new.target !== (made as unknown)) {
        const way = `Extend ${name} of cvkit, and give it to cvkit/snake as it is.`;
        throw new InvalidOptionError(
          sentence(`${name} of cvkit/snake`, 'be called, not extended', phrase('a subclass'), way),
        );
      }
      return spelled(new Given(...(given(arranged(name, args, positions)) as never[])));
    }, args);
  }
  const prototype = prototypeFor(Given.prototype);
  Object.defineProperty(made, 'name', { value: name });
  Object.defineProperty(made, 'prototype', { value: prototype });
  Object.defineProperty(prototype, 'constructor', { value: made, writable: true, configurable: true });
  classes.set(Given, made);
  return made as unknown as SnakeClass<C, N>;
}

/** A function of cvkit that takes and gives what has snake_case names. */
// biome-ignore lint/suspicious/noExplicitAny: any function
export function spelledFunction<F extends (...args: any[]) => unknown>(call: F): SnakeFunction<F> {
  const name = snakeCase(call.name);
  CALLS.add(name);
  const made = (...args: unknown[]) =>
    attempt(() => placed(spelled(call(...given(args))), `The answer of ${name}`), args);
  return Object.defineProperty(made, 'name', { value: name }) as unknown as SnakeFunction<F>;
}
