/** Small pieces of Markdown, and the marked places of hand-written pages that are filled in. */

export function markdownTable(header, rows) {
  const line = (cells) => `| ${cells.map((cell) => String(cell).replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(header), line(header.map(() => '---')), ...rows.map(line)].join('\n');
}

export const codeBlock = (code, language = 'js') => `\`\`\`${language}\n${code}\n\`\`\``;

export const ticks = (names) => names.map((name) => `\`${name}\``).join(', ');

/** One line per option: name, type, default, description. */
export const optionLines = (rows) =>
  rows
    .map((row) => {
      const value = 'default' in row ? ` = ${JSON.stringify(row.default)}` : '';
      const maybe = row.required || 'default' in row ? '' : '?';
      const aliases = row.aliases ? ` Also: ${ticks(row.aliases)}.` : '';
      return `- \`${row.name}${maybe}: ${row.type}${value}\`${row.description ? `: ${row.description}` : ''}${aliases}`;
    })
    .join('\n');

/** First sentence of a text; a full stop counts when a capital or nothing follows. */
export const firstSentence = (text) => text.match(/^.*?[.!?](?=\s+[A-Z`]|$)/s)?.[0] ?? text;

/**
 * A page with the text between `<!-- generated: name -->` and `<!-- /generated -->` replaced by the piece of that
 * name. A name without a piece is an error, so that a page cannot keep stale text.
 */
export function filled(page, pieces) {
  return page.replace(/(<!-- generated: (.+?) -->\n)[\s\S]*?(<!-- \/generated -->)/g, (_, open, name, close) => {
    if (!(name in pieces)) throw new Error(`no piece is called '${name}'. Known: ${Object.keys(pieces).join(', ')}`);
    return `${open}\n${pieces[name]}\n\n${close}`;
  });
}
