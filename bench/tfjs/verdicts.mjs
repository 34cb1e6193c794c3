/** What the measurements share: tables with a verdict per row, a clock, medians, and which backends load. */

/**
 * Prints rows with target and verdict; the process ends with 1 when one is missed.
 *
 * @param {string} title
 * @param {{ measure: string, value: number, digits?: number, atMost?: number, atLeast?: number }[]} rows A row without
 *   a bound is for information.
 */
export function verdicts(title, rows) {
  console.log(`\n${title}`);
  console.table(
    rows.map(({ measure, value, digits = 2, atMost, atLeast }) => {
      const bounds = [atLeast === undefined ? '' : `>= ${atLeast}`, atMost === undefined ? '' : `<= ${atMost}`];
      const target = bounds.filter(Boolean).join(' and ');
      // Written so that NaN is a miss.
      const met = value >= (atLeast ?? Number.NEGATIVE_INFINITY) && value <= (atMost ?? Number.POSITIVE_INFINITY);
      if (!met) process.exitCode = 1;
      return { measure, value: Number(value.toFixed(digits)), target, verdict: target && (met ? 'met' : 'MISSED') };
    }),
  );
}

export const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
export const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;

/** Wall time of `work`, in milliseconds. */
export async function milliseconds(work) {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

/** Sees to it that tfjs-node is loaded; where it cannot be, says so and gives false. */
export async function hasTensorflow(skipped) {
  try {
    await import('@tensorflow/tfjs-node');
    return true;
  } catch (error) {
    console.log(`SKIPPED ${skipped}: @tensorflow/tfjs-node does not load (${error.message.split('\n')[0]}).`);
    return false;
  }
}
