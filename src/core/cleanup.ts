/** Does `work`, then `cleanup`, also after an error. Of two errors the first is thrown, with the later one in its `suppressed` list. */
export async function withCleanup<T>(work: () => Promise<T>, cleanup: () => unknown): Promise<T> {
  let result: T;
  try {
    result = await work();
  } catch (error) {
    try {
      await cleanup();
    } catch (later) {
      if (Object.isExtensible(error) && later !== error) {
        const { suppressed = [] } = error as { suppressed?: unknown };
        Object.defineProperty(error, 'suppressed', { value: [suppressed, later].flat(), configurable: true });
      }
    }
    throw error;
  }
  await cleanup();
  return result;
}

export async function cleanupOnError<T>(work: () => Promise<T>, cleanup: () => unknown): Promise<T> {
  let failed = true;
  const finished = async () => {
    const result = await work();
    failed = false;
    return result;
  };
  return withCleanup(finished, () => failed && cleanup());
}

/** Does every one of them, whatever the others do, and then throws the first error. */
export async function cleanUpAll([first, ...others]: readonly (() => unknown)[]): Promise<void> {
  if (first) {
    await withCleanup(
      async () => void (await first()),
      () => cleanUpAll(others),
    );
  }
}
