/** Texts that mean "missing". `None` and `-` are not here: both occur as answers. */
export const MISSING_MARKS = ['?', 'NA', 'N/A', 'n/a', '#N/A', '<NA>', 'NaN', 'nan', 'null', 'NULL', '.'] as const;

const marks: ReadonlySet<string> = new Set(['', ...MISSING_MARKS.map((mark) => mark.toLowerCase())]);

export const isMissingMark = (text: string): boolean => marks.has(text.trim().toLowerCase());
