/** Text of the reference: safe for Vue, with links on the names of public things, and calls as one writes them. */
import { short } from '../llmsFull.mjs';
import { firstSentence } from '../markdown.mjs';

/** Parts of a text in code marks stay as they are; `change` gets the rest. */
const outsideCode = (text, change) =>
  text
    .split(/(`[^`]+`)/)
    .map((part, at) => (at % 2 === 1 ? part : change(part)))
    .join('');

/** Text that Markdown and Vue show as it is: VitePress reads `<` as an element, `{{` as an expression. */
export const safe = (text) =>
  outsideCode(text, (part) => part.replaceAll('<', '&lt;').replaceAll('{{', '&#123;&#123;'));

/** A writer of text for one page: names of other pages in code marks become links, each once. */
export function linker(places, own) {
  const linked = new Set([own]);
  const link = (name, shown = `\`${name}\``) => {
    const place = places.get(name);
    return place ? `[${shown}](${relativeTo(places.get(own), place)})` : shown;
  };
  return {
    link,
    text: (text) =>
      safe(text.replace(/\bdocs\/([\w-]+)\.md\b/g, '[$1](../../$1.md)')).replace(
        /(?<!\[)`(?:new )?(\w+)(?:\(\))?`/g,
        (whole, name) => {
          if (linked.has(name) || !places.has(name)) return whole;
          linked.add(name);
          return link(name, whole);
        },
      ),
  };
}

/** Path from one page of the reference to another; both are paths below `docs/reference`. */
function relativeTo(from, to) {
  const [folder] = from.includes('/') ? from.split('/') : [''];
  if (folder === '') return to;
  return to.startsWith(`${folder}/`) ? to.slice(folder.length + 1) : `../${to}`;
}

/** Most characters of a call on one line. */
const WIDE = 110;

/** `new KFold({ nSplits = 5, shuffle = false, randomState? })`; options that do not fit into `wide` characters are left out. */
export function callText(name, params, tables, { isClass = false, wide = WIDE } = {}) {
  const written = params
    .filter(({ type }) => !/^NoOptions/.test(type))
    .map((each) => parameterText(each, tables, wide));
  return `${isClass ? 'new ' : ''}${name}(${written.join(', ')})`;
}

function parameterText(parameter, tables, wide) {
  const { name, optional, rest, table, parts } = parameter;
  if (table === undefined && !parts) return `${rest ? '...' : ''}${name}${optional ? '?' : ''}`;
  const rows = optionRows(parameter, tables);
  const written = [...rows].sort((a, b) => Number(b.required ?? 0) - Number(a.required ?? 0)).map(optionText);
  let shown = written;
  while (shown.join(', ').length > wide && shown.length > 1) shown = shown.slice(0, -1);
  return `{ ${[...shown, ...(shown.length < written.length ? ['...'] : [])].join(', ')} }`.replace('{  }', '{}');
}

const optionText = ({ name, required, ...row }) => {
  if (required) return name;
  const given = row.default;
  const nothing = given === undefined || given === null;
  return nothing ? `${name}?` : `${name} = ${short(given)}`;
};

/** Rows of the options that a parameter takes, whether a table has them or the signature. */
export function optionRows({ table, parts }, tables) {
  if (parts) return parts.map((part) => ({ ...part, required: !part.optional }));
  return tables.tables.get(table).rows();
}

/** The names of public things in a type, such as `Interval` in `Readonly<Record<string, Interval>>`. */
export const namesIn = (type) => [...new Set(type.match(/\b[A-Z]\w+/g) ?? [])];

/** The first sentence of a text; one that is longer than `most` ends where a clause does. */
export function brief(text, most = 130) {
  const sentence = firstSentence(text);
  if (sentence.length <= most) return sentence;
  const ends = [...sentence.matchAll(/[;:,]? (?=\(|which |so that |with |and |as )|[;:,](?= )/g)].map(
    ({ index }) => index,
  );
  const at = ends.filter((index) => index > most / 3 && index <= most && isOutsideCode(sentence, index)).at(-1);
  return at === undefined ? sentence : `${sentence.slice(0, at).replace(/,? (and|or)$/, '')}.`;
}

const isOutsideCode = (text, at) => text.slice(0, at).split('`').length % 2 === 1;
