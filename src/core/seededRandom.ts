/** `Math.random` from a seed, for libraries that draw from it. */
import { workScope } from '#io';
import { callCaller } from './callerCode.js';
import { type RandomSource, randomSource } from './random.js';

interface Draws {
  readonly stream: RandomSource;
  /** What the work itself has put in the place of `Math.random`. */
  replaced?: typeof Math.random;
}

const scope = workScope<Draws | undefined>();

/** `Math.random` as it was before ours: the host's own, or that of another copy of this module. */
let below = Object.getOwnPropertyDescriptor(Math, 'random') as PropertyDescriptor;
/** The host has put another one in its place while ours was there. */
let isChanged = false;
/** Ours was put in place, and lies there or below what others have put over it. */
let isPlaced = false;
let users = 0;

const fromBelow = (): typeof Math.random => (below.get ? below.get.call(Math) : below.value);
const seeded = () => scope.get()?.stream.random() ?? fromBelow()();

/** Work with a seed sees its stream, all others the host's own function. */
const OURS: PropertyDescriptor = {
  configurable: true,
  enumerable: false,
  get() {
    const draws = users > 0 ? scope.get() : undefined;
    return draws ? (draws.replaced ?? seeded) : fromBelow();
  },
  set(random: typeof Math.random) {
    const draws = scope.get();
    if (draws) draws.replaced = random;
    else if (below.set) below.set.call(Math, random);
    else {
      below = { ...below, value: random };
      isChanged = true;
    }
  },
};

/** Marks the getter of every copy of this module. */
const SEEDED = Symbol.for('cvkit.seededRandom');
Object.defineProperty(OURS.get, SEEDED, { value: true });

/**
 * Runs `work` while `Math.random`, from which weight initialisers, dropout masks and mljs forests draw, is a stream of `seed`.
 * Nested use takes the innermost stream. In Node the stream belongs to `work` and to what it awaits; elsewhere that holds for
 * synchronous work alone, and asynchronous work must not overlap. Afterwards it stays a property with a getter, since each
 * redefinition makes V8 slower at looking up all functions of `Math`.
 */
export function withSeededRandom<T>(seed: number, work: () => T): T {
  const draws: Draws = { stream: randomSource(seed) };
  install(draws);
  let result: T;
  try {
    result = scope.run(draws, () => callCaller(work));
  } catch (error) {
    leave();
    throw error;
  }
  if (result instanceof Promise) return result.finally(leave) as T;
  leave();
  return result;
}

/** Runs `work`, which is called inside work with a seed and is no part of it, with the host's own `Math.random`. */
export const withHostRandom = <T>(work: () => T): T => scope.run(undefined, work);

/** Puts ours in place, unless it works already: it may lie below what others have put over it. */
function install(draws: Draws): void {
  users++;
  if (scope.run(draws, () => Math.random === seeded)) return;
  const current = Object.getOwnPropertyDescriptor(Math, 'random') as PropertyDescriptor;
  // Another copy of this module lies over ours and asks ours in turn: over it, each would ask the other without end.
  if (isPlaced && current.get && SEEDED in current.get) return;
  below = current;
  isPlaced = true;
  define(OURS);
}

/** Who has put something else over ours keeps it. */
function leave(): void {
  users--;
  if (users > 0 || !isChanged || Object.getOwnPropertyDescriptor(Math, 'random')?.get !== OURS.get) return;
  isChanged = false;
  isPlaced = false;
  define(below);
}

/** V8 would look up `Math.imul` slowly from then on, unless another object inherits from `Math` and was asked. */
function define(random: PropertyDescriptor): void {
  Object.defineProperty(Math, 'random', random);
  const heir = Object.create(Math) as typeof Math;
  for (let turn = 0; turn < ASKED; turn++) hasProduct(heir);
}

/** So often a property is read until V8 makes it quick to read. */
const ASKED = 4;
const hasProduct = ({ imul }: typeof Math): boolean => typeof imul === 'function';
