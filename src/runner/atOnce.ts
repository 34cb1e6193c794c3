/**
 * Does the work of several items at once, at most `most`, and gives what comes of them as it comes. An item is taken when its
 * work begins. However it ends, it ends when all work that has begun has ended; `abandon` is called first where nobody waits
 * for what is left.
 */
export async function* atOnce<T, R>(
  items: Iterable<T>,
  most: number,
  work: (item: T) => Promise<R>,
  abandon: () => void = () => undefined,
): AsyncGenerator<R, void, undefined> {
  const running = new Set<Promise<{ readonly ended: Promise<unknown>; readonly result: R }>>();
  const next = async (): Promise<R> => {
    const { ended, result } = await Promise.race(running);
    running.delete(ended as never);
    return result;
  };
  let finished = false;
  try {
    for (const item of items) {
      const ended: Promise<{ readonly ended: Promise<unknown>; readonly result: R }> = work(item).then((result) => ({
        ended,
        result,
      }));
      running.add(ended);
      if (running.size >= most) yield await next();
    }
    while (running.size > 0) yield await next();
    finished = true;
  } finally {
    if (!finished) abandon();
    await Promise.allSettled(running);
  }
}
