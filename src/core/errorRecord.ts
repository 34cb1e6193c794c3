import {
  AdapterError,
  CVKitError,
  FoldError,
  InfeasibleSplitError,
  InvalidDataError,
  InvalidOptionError,
  LeakageError,
  MissingPackageError,
  messageOf,
} from './errors.js';

/** What was thrown. `structuredClone` and JSON take it. */
export interface ErrorRecord {
  readonly name: string;
  readonly message: string;
  readonly code: string | null;
  /** What else an error of cvkit says of itself: `foldId`, `packageName`. */
  readonly facts: Readonly<Record<string, string>>;
  readonly stack: string | null;
  readonly cause: ErrorRecord | null;
  readonly suppressed: readonly ErrorRecord[];
}

/** Causes are followed so far: an error may cause itself. */
const DEPTH = 8;

const OWN = {
  CVKitError,
  AdapterError,
  FoldError,
  InfeasibleSplitError,
  InvalidDataError,
  InvalidOptionError,
  LeakageError,
  MissingPackageError,
};

export function errorRecord(thrown: unknown, depth = DEPTH): ErrorRecord {
  const none = { code: null, facts: {}, stack: null, cause: null, suppressed: [] };
  if (!(thrown instanceof Error)) return { ...none, name: 'Error', message: messageOf(thrown) };
  const { name, message, stack, cause } = thrown;
  const common = {
    name: String(name),
    message: String(message),
    stack: typeof stack === 'string' ? stack : null,
    cause: cause === undefined || depth === 0 ? null : errorRecord(cause, depth - 1),
    suppressed: depth === 0 ? [] : suppressedIn(thrown).map((each) => errorRecord(each, depth - 1)),
  };
  if (!(thrown instanceof CVKitError)) return { ...none, ...common };
  const { code, name: _name, ...rest } = thrown;
  const facts = Object.entries(rest).filter((fact): fact is [string, string] => typeof fact[1] === 'string');
  return { ...common, code, facts: Object.fromEntries(facts) };
}

const suppressedIn = (error: Error): readonly unknown[] => {
  const { suppressed } = error as { suppressed?: unknown };
  return Array.isArray(suppressed) ? suppressed : [];
};

/** The error again: of its class where it is one of cvkit. */
export function errorOf({ name, message, code, facts, stack, cause, suppressed }: ErrorRecord): Error {
  const causedBy = cause ? { cause: errorOf(cause) } : {};
  const error = code === null ? new Error(message, causedBy) : new CVKitError(message, { code, ...causedBy });
  const Own = code === null ? undefined : OWN[name as keyof typeof OWN];
  if (Own) Object.setPrototypeOf(error, Own.prototype);
  Object.defineProperty(error, 'name', { value: name, configurable: true, writable: true });
  if (stack !== null) Object.defineProperty(error, 'stack', { value: stack, configurable: true, writable: true });
  if (suppressed.length > 0) {
    Object.defineProperty(error, 'suppressed', { value: suppressed.map(errorOf), configurable: true });
  }
  return Object.assign(error, facts);
}
