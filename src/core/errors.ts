import { nameText, plainText } from './foreignText.js';

/**
 * Base class of every error that cvkit raises on purpose. `code` is stable; `message` is one sentence for people, on one
 * line, with any names of columns and ids in it.
 */
export class CVKitError extends Error {
  /** The `code` of errors of this class that name no other. */
  static readonly usualCode: string = 'cvkit';
  /** Stable machine-readable code, for example `invalid_option`. */
  readonly code: string;
  /** The file that the message, which may go into a report, must not name: its name is often a patient's. */
  declare readonly file?: string;
  /** Place of the row that it is about, among the rows that were handed over; a fold adds its number in X. */
  declare readonly row?: number;

  constructor(message: string, facts?: { code?: string; cause?: unknown; file?: string; row?: number } | null) {
    const { code, cause, ...more } = facts ?? {};
    super(plainText(String(message)), cause === undefined ? undefined : { cause });
    this.name = new.target.name;
    this.code = code ?? new.target.usualCode;
    Object.assign(this, more);
  }
}

/** An option is unknown, out of range, of the wrong type, or would have no effect. */
export class InvalidOptionError extends CVKitError {
  static override readonly usualCode: string = 'invalid_option';
}

/** `X`, `y`, `groups` or another array has the wrong length, shape or content. */
export class InvalidDataError extends CVKitError {
  static override readonly usualCode: string = 'invalid_data';
}

/** The requested folds do not exist on these data; the message carries the counts that prove it. */
export class InfeasibleSplitError extends CVKitError {
  static override readonly usualCode: string = 'infeasible_split';
}

/** An optional package is needed and cannot be loaded; the message names the install command. */
export class MissingPackageError extends CVKitError {
  /** Name of the package that could not be loaded. */
  readonly packageName: string;

  constructor(packageName: string, purpose: string, install: string, cause?: unknown) {
    super(`${purpose} needs the package '${packageName}', which could not be loaded. Run: ${install}`, {
      code: 'missing_package',
      cause,
    });
    this.packageName = packageName;
  }
}

/**
 * For the `catch` around an import of an optional package. Bundlers take what is imported in a `try` for optional, so that a
 * page or program can be bundled where it is not installed.
 */
export function absent(error: unknown): never {
  throw error;
}

/** A framework adapter was given something it cannot use, or broke its promise (wrong shape, NaN, ...). */
export class AdapterError extends CVKitError {
  static override readonly usualCode: string = 'adapter';
}

/** A run directory is in use, of another run, damaged, or cannot be written; what it holds stays as it is. */
export class RunDirectoryError extends CVKitError {
  static override readonly usualCode: string = 'run_directory';
}

/** The `signal` of a run ended it. `cause` is its reason. */
export class AbortError extends CVKitError {
  /** The `CVResults` of the folds that were done, without their models; left out where there are none. */
  declare readonly results?: object;

  constructor(reason: unknown) {
    super(`The run was ended by its signal: ${messageOf(reason)}`, { code: 'aborted', cause: reason });
  }
}

/** A fold failed. `foldId` names it and `cause` holds what went wrong. */
export class FoldError extends CVKitError {
  /** Id of the fold that failed. */
  readonly foldId: string;
  /** The `CVResults` of the folds that were done before it ended the run, without their models; left out where there are none. */
  declare readonly results?: object;

  constructor(foldId: string, cause: unknown) {
    const code = cause instanceof CVKitError ? cause.code : 'fold';
    super(`Fold ${foldId} failed: ${messageOf(cause)}`, { code, cause });
    this.foldId = foldId;
  }
}

/** A leakage check failed and the run was set to stop there. */
export class LeakageError extends CVKitError {
  /** The `LeakageReport`: all checks, and how it reads. */
  declare readonly cause: FailedReport;

  constructor(message: string, { cause }: { cause: FailedReport }) {
    super(message, { code: 'leakage', cause });
  }
}

interface FailedReport {
  readonly checks: readonly Readonly<Record<'code' | 'type' | 'status' | 'severity' | 'message' | 'fix', string>>[];
  summary(): string;
}

/** Throws "<subject> must <must>. It threw: <message>" for what a function of the caller threw; errors of cvkit and aborts pass. */
export function threw(subject: string, must: string, code: string, Kind: typeof AdapterError = AdapterError) {
  return (error: unknown): never => {
    if (error instanceof CVKitError || (error as Error | undefined)?.name === 'AbortError') throw error;
    throw new Kind(`${subject} must ${must}. It threw: ${messageOf(error)}`, { code, cause: error });
  };
}

/** Refuses a promise, and takes what it rejects with, since Node would end the process. */
export function atOnce<T>(answer: T, subject: string, Kind: typeof AdapterError = AdapterError): T {
  if (typeof (answer as { then?: unknown } | null | undefined)?.then !== 'function') return answer;
  void Promise.allSettled([answer]);
  throw new Kind(sentence(subject, 'give its answer at once', phrase('a promise')), { code: 'asynchronous' });
}

/** The message of anything that was thrown, on one line; cut where a library prints a whole model. */
export function messageOf(thrown: unknown): string {
  if (thrown instanceof CVKitError) return thrown.message;
  const message = thrown instanceof Error ? (thrown as { message: unknown }).message : thrown;
  if (typeof message !== 'string') return show(message);
  // Node: "ENOENT: no such file or directory, open '<path>'". The path is the caller's, and may name a patient.
  const { syscall } = (thrown ?? {}) as { syscall?: unknown };
  return nameText(typeof syscall === 'string' ? message.split(`, ${syscall}`)[0] : message, MOST);
}

const MOST = 600;

/**
 * The one sentence builder: "<subject> must <must>. Got <got>. <instead>"
 *
 * @param subject what is spoken of, for example "The `nSplits` option of KFold"
 * @param must what has to hold, starting with a verb: "be an integer >= 2"
 * @param got the offending value (shown by {@link show}), or words by {@link phrase} or {@link kindOf}
 * @param instead at most one way out, a full sentence
 */
export function sentence(subject: string, must: string, got: unknown, instead?: string): string {
  const found = got instanceof Phrase ? got.words : show(got);
  return `${subject} must ${must}. Got ${found}.${instead ? ` ${instead}` : ''}`;
}

/** The error for data of the caller; `got` in words. */
export const invalidData = (code: string, subject: string, must: string, got: string | Phrase, way?: string) =>
  new InvalidDataError(sentence(subject, must, typeof got === 'string' ? phrase(got) : got, way), { code });

/** A class of its own, since an object of the caller may look like anything. */
class Phrase {
  constructor(readonly words: string) {}
}

export const phrase = (words: string): Phrase => new Phrase(words);

/** The kind of a value of a patient or a model, for {@link sentence}; never the value itself, since messages end in logs. */
export function kindOf(value: unknown, [low, high]: readonly [number, number] = [0, 0]): Phrase {
  if (typeof value === 'string')
    return phrase(value === '' ? 'an empty string' : value.trim() === '' ? 'a blank text' : 'a string');
  if (typeof value === 'boolean') return phrase('a boolean');
  if (typeof value === 'bigint')
    return phrase(Number.isSafeInteger(Number(value)) ? 'a bigint' : 'a bigint beyond 2^53');
  if (value instanceof Date) return phrase(Number.isNaN(value.getTime()) ? 'an invalid Date' : 'a Date');
  if (Array.isArray(value)) return phrase(`an array of length ${value.length}`);
  if (typeof value !== 'number' || value === 0 || !Number.isFinite(value)) return phrase(show(value));
  const where = value > high ? `above ${high}` : value < low ? `below ${low}` : `from ${low} to ${high}`;
  return phrase(`a number ${where}${Number.isInteger(value) || low !== 0 || high !== 0 ? '' : ', with decimals'}`);
}

/** A short, single-line picture of any value. */
export function show(value: unknown): string {
  if (typeof value === 'string') return `'${nameText(value)}'`;
  if (typeof value === 'function') {
    const name = nameOfFunction(value);
    return name ? `the function ${name}` : 'a function';
  }
  if (typeof value === 'bigint') return `${value}n`;
  if (typeof value === 'symbol') return nameText(String(value));
  if (value === null || typeof value !== 'object') return String(value);
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? 'an invalid Date' : value.toISOString();
  if (Array.isArray(value)) {
    const flat = value.every((item) => item === null || typeof item !== 'object');
    return flat && value.length <= 6 ? `[${value.map(show).join(', ')}]` : `an array of length ${value.length}`;
  }
  if (value instanceof DataView) return `a DataView of ${value.byteLength} bytes`;
  if (ArrayBuffer.isView(value)) {
    return `a ${nameOfFunction(value.constructor)} of length ${(value as unknown as ArrayLike<number>).length}`;
  }
  const className = nameOfFunction(value.constructor);
  if (className && className !== 'Object') return `an object of class ${className}`;
  const keys = Object.keys(value);
  if (keys.length === 0) return 'an empty object';
  const named = keys.slice(0, 6).map((key) => nameText(key));
  return `an object with the keys ${named.join(', ')}${keys.length > 6 ? ', ...' : ''}`;
}

/** A caller's class may have a static `name` that is no text. */
function nameOfFunction(value: unknown): string {
  const name = typeof value === 'function' ? (value as { name: unknown }).name : '';
  return typeof name === 'string' ? nameText(name) : '';
}

/** The candidate closest to `name` by edit distance, or one that contains it or that it begins with; case and `_` do not count. */
export function nearest(name: string, candidates: Iterable<string>): string | undefined {
  const plain = (text: string) => text.toLowerCase().replaceAll('_', '');
  // Comparing it would take for ever.
  if (name.length > MOST_LETTERS) return undefined;
  const wanted = plain(name);
  let best: string | undefined;
  let bestDistance = Math.max(2, wanted.length / 3) + 0.1;
  for (const candidate of candidates) {
    const known = plain(candidate);
    const start = wanted.slice(0, known.length);
    const distance = editDistance(wanted, known) / (start.length > 2 && known.includes(start) ? 9 : 1);
    if (distance < bestDistance) [best, bestDistance] = [candidate, distance];
  }
  return best;
}

const MOST_LETTERS = 200;

/** "Did you mean 'x'?" when something is near, else the list of what is known. */
export function suggestion(name: string, known: readonly string[]): string {
  const near = nearest(name, known);
  return near ? `Did you mean '${nameText(near)}'?` : `Known: ${known.map((each) => nameText(each)).join(', ')}.`;
}

function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      next[j] = Math.min(row[j] + 1, next[j - 1] + 1, row[j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1));
    }
    row = next;
  }
  return row[b.length];
}
