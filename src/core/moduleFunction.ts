/** Functions that are named by their module, so that threads, other processes and JSON can have them. */
import { InvalidOptionError, sentence, show, threw } from './errors.js';
import { nameText } from './foreignText.js';
import { isPlainObject } from './options.js';
import { exportOf, modulePlaces, moduleUrlOf } from './pathOfPlace.js';

/** Names a function of a module. */
export interface ModuleFunction {
  /** Absolute path or file: URL, in pages a URL of their own origin: `new URL('./log.js', import.meta.url)`. */
  readonly module: string | URL;
  /** Name of the export; the default export where it is left out. */
  readonly export?: string;
  /** Last argument of the function: plain data. */
  readonly kwArgs?: Readonly<Record<string, unknown>>;
}

export const isModuleFunction = (value: unknown): value is ModuleFunction =>
  isPlainObject(value) && (typeof value.module === 'string' || value.module instanceof URL);

/**
 * The same as plain data, with the whole URL of the module.
 *
 * @param owner whose option it is, in messages
 * @throws {InvalidOptionError} what names no function.
 */
export function checkedModule(source: ModuleFunction, owner: string, what = 'a function'): ModuleFunction {
  const { module, export: name, kwArgs, ...more } = isPlainObject(source) ? source : ({} as Partial<ModuleFunction>);
  if (module === undefined || Object.keys(more).length > 0) {
    const must = `be ${what}, or { module, export, kwArgs } that names one`;
    throw new InvalidOptionError(sentence(`The argument of ${owner}`, must, source));
  }
  const url = moduleUrlOf(module);
  if (url === undefined) {
    const must = `be ${modulePlaces()}`;
    const way = "Use new URL('./step.js', import.meta.url).";
    throw new InvalidOptionError(sentence(`The \`module\` of ${owner}`, must, String(module), way));
  }
  if (name !== undefined && (typeof name !== 'string' || name === '')) {
    throw new InvalidOptionError(sentence(`The \`export\` of ${owner}`, 'be the name of an export', name));
  }
  if (kwArgs !== undefined && !(isPlainObject(kwArgs) && isPlainData(kwArgs))) {
    const subject = `The \`kwArgs\` of ${owner}`;
    throw new InvalidOptionError(sentence(subject, 'be an object of plain data, which JSON can hold', kwArgs));
  }
  return Object.freeze({
    module: url,
    ...(name === undefined ? {} : { export: name }),
    ...(kwArgs === undefined ? {} : { kwArgs: structuredClone(kwArgs) }),
  });
}

/** An option as plain data where it names a function of a module; any other value as it is. */
export const asModule = (value: unknown, owner: string): unknown =>
  isModuleFunction(value) ? checkedModule(value, owner) : value;

function isPlainData(value: unknown): boolean {
  if (Array.isArray(value)) return value.every(isPlainData);
  if (isPlainObject(value)) return Object.values(value).every(isPlainData);
  return value === null || ['string', 'number', 'boolean', 'undefined'].includes(typeof value);
}

/** The function itself, with its `kwArgs` as last argument. */
export async function functionOf(
  { module, export: name = 'default', kwArgs }: ModuleFunction,
  owner: string,
): Promise<(...args: unknown[]) => unknown> {
  const subject = `The module ${nameText(String(module), 300)} of ${owner}`;
  const found = await exportOf(String(module), name).catch(threw(subject, 'load', 'invalid_module'));
  if (typeof found !== 'function') {
    const must = `have the function ${show(name)} as an export`;
    throw new InvalidOptionError(sentence(subject, must, found), { code: 'invalid_module' });
  }
  return kwArgs ? (...args) => found(...args, structuredClone(kwArgs)) : (found as (...args: unknown[]) => unknown);
}
