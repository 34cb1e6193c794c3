/** Plain-text tables and numbers for summaries. */

/** Columns of equal width, two spaces apart; all to the left, or with `numbers` all but the first to the right. */
export function textTable(rows: readonly (readonly string[])[], { numbers = false } = {}): string {
  const columns = Math.max(...rows.map((row) => row.length));
  const widths = Array.from({ length: columns }, (_, i) => Math.max(...rows.map((row) => row[i]?.length ?? 0)));
  return rows
    .map((row) => {
      const cells = row.map((cell, i) => (numbers && i > 0 ? cell.padStart(widths[i]) : cell.padEnd(widths[i])));
      return `  ${cells.join('  ')}`.trimEnd();
    })
    .join('\n');
}

/** Text broken between words into lines of at most `width`, the first after `lead`, the others indented like it. */
export function wrapText(text: string, lead = '  ', width = 110): string {
  const lines = [''];
  for (const word of text.split(' ')) {
    const line = lines[lines.length - 1];
    if (line !== '' && lead.length + line.length + 1 + word.length > width) lines.push(word);
    else lines[lines.length - 1] = line === '' ? word : `${line} ${word}`;
  }
  return lines.map((line, i) => `${i === 0 ? lead : ' '.repeat(lead.length)}${line}`).join('\n');
}

/** Three decimals for values of everyday size, three significant digits otherwise; an em dash for null. */
export function formatNumber(value: number | null): string {
  if (value === null) return '—';
  const size = Math.abs(value);
  return size !== 0 && (size < 0.001 || size >= 1000) ? String(Number(value.toPrecision(3))) : value.toFixed(3);
}

/** `1 fold`, `5 folds`. */
export const counted = (n: number, noun: string, plural = `${noun}s`): string => `${n} ${n === 1 ? noun : plural}`;

/** `12 s`, `3 min 20 s`. */
export function formatDuration(seconds: number): string {
  if (seconds < 10) return `${seconds.toFixed(1)} s`;
  const whole = Math.round(seconds);
  return whole < 60 ? `${whole} s` : `${Math.floor(whole / 60)} min ${whole % 60} s`;
}

/** `4 of 5`: how many scores have a value. */
export const definedCount = (scores: readonly { readonly value: number | null }[]): string =>
  `${scores.filter(({ value }) => value !== null).length} of ${scores.length}`;

/** The facts of the engine in words; a fact named `...Reason` follows what it is the reason of, in brackets. */
export const engineText = (engine: Readonly<Record<string, string>>): string[] =>
  Object.entries(engine).flatMap(([name, value]) => {
    if (name.endsWith('Reason')) return [];
    const reason = engine[`${name}Reason`];
    return [`${name} ${value}${reason ? ` (${reason})` : ''}`];
  });
