/** A page of the reference: one public class or function, as short as its facts allow. */
import { codeBlock, markdownTable, ticks } from '../markdown.mjs';
import { optionTables } from '../options.mjs';
import { callText, linker, namesIn, optionRows } from './words.mjs';

/**
 * @param item what the page is about: its `name`, where it is imported `from`, its docstring, parameters, methods and fields,
 *   with `facts` of its family as Markdown, and its `program`
 */
export function page(item, context) {
  const { places, guides } = context;
  const { link, text } = linker(places, item.name);
  const { paragraphs, throws, sources } = partsOf(item.doc);
  const sections = [
    `# ${item.name}`,
    ...paragraphs.map(text),
    ...(item.aliases?.length > 0 ? [`Also exported as ${ticks(item.aliases)}.`] : []),
    ...(item.facts ?? []).map(text),
    ...(item.from && !item.calls?.length ? [codeBlock(importLine(item), 'ts')] : []),
    ...(item.calls ?? []).flatMap((each, at) =>
      called(each, {
        before: at === 0 ? `${importLine(item)}\n\n` : '',
        ...context,
        text,
        link,
        isClass: item.isClass,
        place: item.place,
      }),
    ),
    section('Fields', fieldTable(item.fields, text)),
    ...methods(item, { ...context, text, link, place: item.place }),
    section('Errors', errors(item, throws, context, text)),
    section('Example', example(item.program)),
    section('Source', sources.map(text).join('\n\n')),
    section('See also', seeAlso(item, places, guides, link)),
  ];
  return `${sections.filter(Boolean).join('\n\n')}\n`;
}

const section = (title, body, level = 2) => (body ? `${'#'.repeat(level)} ${title}\n\n${body}` : '');

const importLine = ({ name, from, typeOnly }) => `import ${typeOnly ? 'type ' : ''}{ ${name} } from '${from}';`;

/** Paragraphs of a docstring, without its source and what it throws, which have places of their own. */
export function partsOf({ paragraphs, throws }) {
  const rest = [];
  const sources = [];
  const thrown = throws.map((each) =>
    each.replace(/^\{?(\w+)\}?:?/, '`$1`:').replace(/: ?(for|when|where|before)\b/, ' $1'),
  );
  for (const paragraph of paragraphs) {
    const [, before, source] = paragraph.match(/^([\s\S]*?)\bSources?(?: of [^:.]*)?: ([\s\S]*)$/) ?? [];
    const body = source === undefined ? paragraph : before.trim();
    if (source !== undefined) sources.push(source[0].toUpperCase() + source.slice(1));
    if (/^Throws /.test(body)) thrown.push(body.replace(/^Throws /, ''));
    else if (body) rest.push(body);
  }
  return { paragraphs: rest, throws: thrown, sources };
}

/** A call, its parameters and options, and what it gives. */
function called(
  { name, params, returns, description },
  { text, link, tables, interfaces, place, isClass, before = '', level = 2 },
) {
  const plain = params.filter(({ table, parts, type }) => table === undefined && !parts && !/^NoOptions/.test(type));
  const others = params.filter(({ table, parts }) => table !== undefined || parts);
  const result = isClass ? '' : returnText(returns, link);
  return [
    codeBlock(`${before}${callText(name, params, tables, { isClass })}`, 'ts'),
    ...(description ? [text(description)] : []),
    plain.length > 0 ? section('Parameters', parameterTable(plain, text), level) : '',
    ...others.map((each) => section('Options', optionText(each, tables, text), level)),
    ...(result ? [section('Returns', result, level), ownFields(returns, { interfaces, place, text })] : []),
  ];
}

const parameterTable = (params, text) =>
  markdownTable(
    ['parameter', 'type', 'what it is'],
    params.map(({ name, type, optional, description }) => [
      `\`${name}${optional ? '?' : ''}\``,
      `\`${type}\``,
      text(description),
    ]),
  );

function optionText(parameter, tables, text) {
  if (parameter.table !== undefined) return optionTables(tables.tables.get(parameter.table), tables, text) || 'None.';
  const rows = optionRows(parameter, tables);
  return markdownTable(
    ['option', 'type', 'default', 'what it is'],
    rows.map((row) => [
      `\`${row.name}\``,
      `\`${row.type}\``,
      row.required ? 'required' : 'default' in row ? `\`${JSON.stringify(row.default)}\`` : '—',
      text(row.description ?? ''),
    ]),
  );
}

function returnText(returns, link) {
  if (['void', 'this', 'Promise<void>', 'Promise<this>'].includes(returns)) return '';
  const named = namesIn(returns).map((name) => link(name));
  const links = named.filter((each) => each.startsWith('['));
  return `\`${returns}\`${links.length > 0 ? `: ${links.join(', ')}.` : ''}`;
}

/** Fields of a result that is declared beside its function. */
function ownFields(returns, { interfaces, place, text }) {
  const own = namesIn(returns)
    .map((name) => interfaces.get(name))
    .find((each) => each?.place === place);
  return own ? fieldTable(own.properties, text) : '';
}

export const fieldTable = (fields, text) =>
  fields && fields.length > 0
    ? markdownTable(
        ['field', 'type', 'what it holds'],
        fields.map(({ name, type, optional, description }) => [
          `\`${name}${optional ? '?' : ''}\``,
          `\`${type}\``,
          text(description),
        ]),
      )
    : '';

/** Methods with options have a section each; the others share a table. */
function methods({ methods: all = [], hooks }, context) {
  const { text, tables } = context;
  const own = all.filter(({ name }) => !(hooks && /^(on[A-Z]|setup|teardown)/.test(name)));
  const withOptions = own.filter(({ params }) => params.some(({ table, parts }) => table !== undefined || parts));
  const others = own.filter((each) => !withOptions.includes(each));
  if (own.length === 0) return [];
  const table = markdownTable(
    ['method', 'gives', 'what it does'],
    others.map(({ name, params, returns, description }) => [
      `\`${callText(name, params, tables)}\``,
      `\`${returns}\``,
      text(description),
    ]),
  );
  return [
    '## Methods',
    ...(others.length > 0 ? [table] : []),
    ...withOptions.flatMap((each) => {
      const { paragraphs } = partsOf(each.doc);
      const [first = each.description, ...rest] = paragraphs;
      return [
        `### ${each.name}`,
        text(first),
        ...called({ ...each, description: '' }, { ...context, level: 4 }),
        ...rest.map(text),
      ];
    }),
  ];
}

/** What is thrown, by the docstrings, and the codes that the file of the class or function raises. */
function errors({ place, methods: all = [], calls = [] }, own, { codes }, text) {
  const thrown = [...own, ...all.flatMap(({ doc }) => (doc ? partsOf(doc).throws : []))];
  const raised = codes.filter(({ files, isDefault }) => place in files && !isDefault);
  const takesOptions = [...calls, ...all].some(({ params = [] }) => params.some(({ table }) => table !== undefined));
  return [
    [...new Set(thrown)].map((each) => `- ${text(each)}`).join('\n'),
    raised.length > 0
      ? markdownTable(
          ['code', 'error', 'what must hold'],
          raised.map(({ code, errors: names, files }) => [`\`${code}\``, ticks(names), text(files[place] || '—')]),
        )
      : '',
    takesOptions
      ? `An option that is unknown or out of range is refused with \`InvalidOptionError\`. [All errors and codes](../errors.md)`
      : '',
  ]
    .filter(Boolean)
    .join('\n\n');
}

function example(program) {
  if (!program) return '';
  const { code, output, note } = program;
  const text = output ? `\n\n${note ?? ''}It prints:\n\n${codeBlock(output, 'text')}` : '';
  return `${codeBlock(code)}${text}`;
}

/** Guides that explain the name, and the public types that the page has in its types. */
function seeAlso({ name, calls = [], methods: all = [], fields = [], more = [] }, places, guides, link) {
  const types = [...calls, ...all].flatMap(({ returns = '', params = [] }) => [
    returns,
    ...params.map(({ type }) => type),
  ]);
  const named = [...new Set([...types, ...fields.map(({ type }) => type)].flatMap(namesIn))];
  const links = named.filter((each) => each !== name && places.has(each)).map((each) => link(each));
  return [
    ...more.map((each) => `- ${each}`),
    ...(guides.get(name) ?? []).map(({ title, path }) => `- [${title}](../../${path})`),
    ...(links.length > 0 ? [`- ${links.join(', ')}`] : []),
  ].join('\n');
}
