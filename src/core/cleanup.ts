/**
 * Does `work`, then `cleanup`, also after an error. When both fail the first error is thrown: it is the one that
 * explains. The later one is kept in its `suppressed` list.
 */
export async function withCleanup<T>(work: () => Promise<T>, cleanup: () => unknown): Promise<T> {
  let result: T;
  try {
    result = await work();
  } catch (error) {
    try {
      await cleanup();
    } catch (later) {
      if (typeof error === 'object' && error !== null) {
        const known = (error as { suppressed?: unknown[] }).suppressed ?? [];
        Object.defineProperty(error, 'suppressed', { value: [...known, later], configurable: true });
      }
    }
    throw error;
  }
  await cleanup();
  return result;
}
