/** Three decimals for values of everyday size, three significant digits otherwise; an em dash for null. */
export function formatNumber(value: number | null): string {
  if (value === null) return '—';
  const size = Math.abs(value);
  return size !== 0 && (size < 0.001 || size >= 1000) ? String(Number(value.toPrecision(3))) : value.toFixed(3);
}

/** `1,148`: a count with its thousands apart. */
export const wholeNumber = (n: number): string => n.toLocaleString('en-US');

/** `1 fold`, `1,148 rows`. */
export const counted = (n: number, noun: string, plural = `${noun}s`): string =>
  `${wholeNumber(n)} ${n === 1 ? noun : plural}`;

/** `95 %`, `99.99999 %`: a level is never rounded to 100 %. */
export const percentOf = (level: number): string => `${Number((100 * level).toPrecision(12))} %`;

export const wholePercent = (share: number): string => `${Math.round(100 * share)} %`;

export const points = (share: number): string => (100 * share).toFixed(1);

export function formatDuration(seconds: number): string {
  if (seconds < 10) return `${seconds.toFixed(1)} s`;
  const whole = Math.round(seconds);
  return whole < 60 ? `${whole} s` : `${Math.floor(whole / 60)} min ${whole % 60} s`;
}
