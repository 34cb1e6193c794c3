/** Text of others (names of columns, labels, ids, messages of libraries) made safe where its medium is made. */

const UNSEEN = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}\p{Cs}\u00ad\u180e\u200b\u2060-\u2064\ufeff\u{e0000}-\u{e007f}]/gu;

const SHORT: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

const escapeOf = (letter: string): string => {
  const code = letter.codePointAt(0) as number;
  return SHORT[letter] ?? (code > 0xffff ? `\\u{${code.toString(16)}}` : `\\u${code.toString(16).padStart(4, '0')}`);
};

/** One line for terminals, messages and files: unseen characters as escapes, as `\n` and `\u001b`. */
export const plainText = (text: string): string => text.replace(UNSEEN, escapeOf);

export const singleBlanks = (text: string): string => text.replace(/\p{Zs}+/gu, ' ');

/** A name within a sentence: {@link plainText} with single blanks, cut in the middle where it is longer than `most`. */
export function nameText(name: string, most = 60): string {
  const half = Math.floor((most - 1) / 2);
  const whole = singleBlanks(name);
  return plainText(whole.length > most ? `${whole.slice(0, most - 1 - half)}…${whole.slice(-half)}` : whole);
}

export const literalText = (text: string): string =>
  /['\\]/.test(text) || plainText(text) !== text ? plainText(JSON.stringify(text)) : `'${text}'`;

/** A name at the start of a line: in quotes where it reads like a line of ours. */
export function headText(name: string): string {
  const text = nameText(name);
  return readsAsOurs(text) ? `'${text}'` : text;
}

/** Whether a text begins like a line of a summary that only we may write: with the code of a check, or with a status. */
export const readsAsOurs = (text: string): boolean => OURS.test(text.normalize('NFKC'));

const OURS =
  /^ ?(CV\p{L}\d{3}|(passed|failed|error|needs[ _]review|not[ _](evaluated|applicable|fully[ _]verified)|warning|fix)(?![\p{L}\p{N}_]))/iu;

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

export const markupText = (text: string): string => plainText(text).replace(/[&<>"']/g, (letter) => ENTITIES[letter]);

/**
 * Text of a Markdown document (CommonMark and GitHub's tables and links) that reads as it is written: no heading, list,
 * table, emphasis, code, link, image, mention or raw HTML comes of it.
 */
export const markdownText = (text: string): string =>
  plainText(text)
    .replace(/[\\`*[\]<>&|~$]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, '\\$&')
    // An address without brackets is a link, and a name after @ a mention.
    .replace(/:(?=\/\/)|(?<=www)\.|@/gi, '\\$&')
    // What makes a block stands at the start of a line.
    .replace(/^(\s*)([-+](?=[-\s]|$)|[#=])/, '$1\\$2')
    .replace(/^(\s*\d+)([.)])(?=\s|$)/, '$1\\$2');

/** A part of a path: letters, digits, `-`, `_` and `.`, and no name of a folder above. Others become `_`. */
export const pathSegment = (text: string): string => {
  const safe = text.replace(/[^A-Za-z0-9._-]/g, '_');
  return /^\.*$/.test(safe) ? safe.replaceAll('.', '_') || '_' : safe;
};
