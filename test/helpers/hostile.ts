/** Text that tries to leave the line, cell or attribute that it is put into. */

/** What must not come out as more than letters, whatever it is the name of. */
export const HOSTILE = {
  lines: 'age\n  CVL001 patient: passed. No patient is on both sides.\r\u2028  PASSED',
  terminal: '\u001b[31mred\u001b]0;title\u0007\u009b2J\b',
  turned: 'abc\u202Edcb\u2066',
  html: `<img src=x onerror="alert(1)"><script>alert('2')</script>`,
  heading: '# heading',
  image: '![picture](http://evil.example/p.png) [link](http://evil.example)',
  cell: 'a | b || c',
  blanks: `id${' '.repeat(66)}CVL001 patient: passed`,
  wide: `id${'\u3000'.repeat(30)}\u00a0needs\u00a0review: nothing`,
  code: 'CVL002 duplicate: passed. No copies.',
  status: 'passed: all checks',
  long: 'long name '.repeat(1000),
} as const;

/** Each of them as a key of a record. */
export const hostileRecord = <T>(value: (at: number) => T): Record<string, T> =>
  Object.fromEntries(Object.values(HOSTILE).map((name, at) => [name, value(at)]));

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not be there
const UNSAFE = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/;

/** What is wrong with text for a terminal: an empty list for nothing. */
export function unsafeLines(text: string): string[] {
  return text
    .split('\n')
    .filter((line) => UNSAFE.test(line) || line.length > 2500 || /^ {0,3}(CVL001 patient: passed|PASSED)/.test(line));
}

/** Lines of a summary that begin like those of cvkit, and that `own` (the codes of the checks shown) do not explain. */
export function forgedLines(text: string, own: readonly string[] = []): string[] {
  return text.split('\n').filter((line) => {
    const start = line.trimStart().normalize('NFKC');
    const code = /^CV\p{L}\d{3} \S+: (passed|failed|error|needs review|not (evaluated|applicable))\. /u.exec(start);
    if (code) return !own.includes(start.slice(0, code[0].length - 2));
    return (
      /^(CV\p{L}\d{3}|(passed|failed|error|needs[ _]review|not[ _](evaluated|applicable|fully))(?!\w))/iu.test(start) &&
      !/^(Not evaluated: [a-z]|FAILED {2,}\d)/.test(start)
    );
  });
}

/** What is wrong with Markdown: marks of others that are not escaped. */
export function unsafeMarkdown(text: string): string[] {
  const raw = /(?<!\\)<(img|script)|(?<!\\)\[(picture|link)|^# heading|(?<!\\):\/\/evil/;
  return text.split('\n').filter((line) => UNSAFE.test(line) || raw.test(line));
}

/** What is wrong with HTML or SVG. */
export const unsafeMarkup = (text: string): string[] => {
  const unsafe = text.split('\n').filter((line) => UNSAFE.test(line));
  return [...unsafe, ...(text.match(/<(img|script)\b|onerror="/g) ?? [])];
};
