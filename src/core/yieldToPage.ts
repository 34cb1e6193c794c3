const EVERY_MS = 15;

// Taken once: a clock that stands still in somebody's tests does not stop the work.
const { setTimeout, setImmediate } = globalThis as { setTimeout: typeof globalThis.setTimeout } & {
  setImmediate?: (turn: () => void) => unknown;
};
const next = setImmediate ?? ((turn: () => void) => setTimeout(turn, 0));

let last = performance.now();

/** Awaited in long loops: lets timers and events have their turn once in so many ms, so that a page stays responsive. */
export async function yieldToPage(every = EVERY_MS): Promise<void> {
  if (performance.now() - last < every) return;
  await new Promise<void>((resolve) => next(resolve));
  last = performance.now();
}
