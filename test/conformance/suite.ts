/** The shape of a conformance suite: named cases bound to no test runner. */
export interface ConformanceCase {
  readonly name: string;
  /** Throws an Error with one clear sentence when the member under test breaks the rule. */
  run(): void | Promise<void>;
}

/** Throws with `message` unless `condition` holds. */
export function ensure(condition: unknown, message: string): asserts condition {
  if (!condition) throw new Error(message);
}

/** Runs `work` and gives what it threw, or undefined. */
export async function thrownBy(work: () => unknown): Promise<unknown> {
  try {
    await work();
    return undefined;
  } catch (error) {
    return error;
  }
}
