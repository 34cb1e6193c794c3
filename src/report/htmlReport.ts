import { markupText } from '../core/foreignText.js';
import type { Svg } from '../plot/svg.js';
import type { Fact } from '../runner/runFacts.js';
import { nextSteps } from './account.js';
import { type Pictured, picturesOf } from './pictures.js';
import { facts, NEXT, type Section, sections, TO_DO, titleOf } from './sections.js';
import type { ReportParts } from './tables.js';

const STYLE = `
:root { color-scheme: light dark; --ink: #1f2328; --paper: #fff; --line: #d0d7de; --soft: #59636e; --good: #1a7f37; --bad: #b3261e; --look: #9a6700; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6edf3; --paper: #14181d; --line: #3d444d; --soft: #9da7b3; --good: #56d364; --bad: #ff7b72; --look: #e3b341; } }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 72rem; margin: 2rem auto; padding: 0 1rem; color: var(--ink); background: var(--paper); }
h1 { font-size: 1.6rem; line-height: 1.2; } h2 { font-size: 1.2rem; margin-top: 2.5rem; }
h1, h2, p, li, dd, td { overflow-wrap: break-word; } dd { min-width: 0; }
.status { padding: .6rem 1rem; border-left: .4rem solid; font-weight: 600; }
.passed, .passed_with_acknowledgements { border-color: var(--good); } .failed { border-color: var(--bad); }
.needs_review, .not_fully_verified { border-color: var(--look); }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
th, td { text-align: left; padding: .35rem .8rem .35rem 0; border-bottom: 1px solid var(--line); vertical-align: top; }
td:not(:last-child), th { white-space: nowrap; } .checks td:last-child { min-width: 14rem; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .2rem 1.2rem; margin: 0; }
dt { font-weight: 600; } dd { margin: 0; }
.scroll { overflow-x: auto; } footer { margin-top: 3rem; font-size: .85rem; color: var(--soft); }
.pictures { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(340px, 100%), 1fr)); gap: 1.5rem; margin-top: 1rem; align-items: start; }
figure { margin: 0; min-width: 0; } figure svg { max-width: 100%; height: auto; display: block; }
nav ul { display: flex; flex-wrap: wrap; gap: .2rem 1.2rem; padding: 0; margin: 1rem 0; list-style: none; font-size: .9rem; } a { color: inherit; }
pre { overflow-x: auto; padding: .8rem; border: 1px solid var(--line); font-size: .85rem; }
summary { cursor: pointer; font-size: .85rem; color: var(--soft); } details table { font-size: .8rem; }
td:first-child wbr { display: none; }
@media (max-width: 40rem) { td:first-child wbr { display: inline; } td:first-child, th:first-child { white-space: normal; word-break: break-word; min-width: 6.7rem; } td:last-child { min-width: 7rem; } table { font-size: .9rem; } .checks thead { display: none; } .checks table, .checks tbody, .checks tr { display: block; } .checks td { display: inline-block; white-space: normal; border: 0; padding-bottom: 0; } .checks td:first-child { font-weight: 600; min-width: 0; } .checks td:last-child { display: block; padding-bottom: .6rem; border-bottom: 1px solid var(--line); } dl { grid-template-columns: 1fr; } dd { margin-bottom: .5rem; } body { margin-top: 1rem; } }
@media (prefers-color-scheme: dark) {
  svg .paper { fill: var(--paper); } svg, svg text { fill: var(--ink); } svg text.on { fill: #fff; } svg .grid { stroke: #2b323a; } svg .axis, svg .reference { stroke: #8b949e; }
  svg .line.s0 { stroke: #58a6ff; } svg .mark.s0, svg .area.s0, svg .cell { fill: #58a6ff; } svg .line.mean { stroke: #e6edf3; } svg .area.mean, svg .mark.mean { fill: #e6edf3; }
  svg .line.s1 { stroke: #ffa657; } svg .mark.s1, svg .area.s1 { fill: #ffa657; } svg .line.s2 { stroke: #3fb950; } svg .mark.s2, svg .area.s2 { fill: #3fb950; }
}
@media print { body { max-width: none; margin: 0; padding: 0; font-size: 10pt; } figure, tr { break-inside: avoid; } h2 { break-after: avoid; } .pictures { grid-template-columns: repeat(2, 1fr); } figure svg { max-height: 118mm; } table { font-size: 8.5pt; } th, td { padding-right: .5rem; } .pictures details:not([open]), nav { display: none; } .long::details-content { content-visibility: visible; } pre { white-space: pre-wrap; } }`;

const EVIDENCE_STYLE = `
.evidence table { font-size: .85rem; }
.evidence td:not(:last-child), .evidence th { white-space: normal; }
.evidence th:nth-child(1) { width: 1%; } .evidence th:nth-child(2) { width: 14%; } .evidence th:nth-child(3) { width: 8%; }
.evidence th:nth-child(4) { width: 46%; } .evidence td:nth-child(4) { min-width: 16rem; } .evidence td:nth-child(5) { font-size: .9em; min-width: 0; }
.evidence td:nth-child(1) { font-weight: 600; white-space: nowrap; padding-right: 1.2rem; }
@media print { .evidence table { font-size: .7rem; } thead { display: table-header-group; } }`;

/** The result as one self-contained page: pictures and tables, no script, no external address, no rows of data. */
export function htmlReport(result: Pictured, more: ReportParts = {}): string {
  const { manifest, verdict } = result;
  const steps = nextSteps(result);
  return htmlPage({
    title: `${titleOf(result)}: report`,
    head: [
      `<p class="status ${verdict.status}">${textOf(verdict.text)}</p>`,
      ...(steps.length > 0 ? [`<p>${NEXT}</p>`, list(steps)] : []),
    ],
    facts: facts(result, { details: true }),
    parts: sections(result, more),
    pictures: picturesOf(result, more),
    style: result.evidence ? EVIDENCE_STYLE : '',
    footer: `cvkit ${manifest.cvkit}, ${manifest.startedAt}`,
  });
}

interface Page {
  readonly title: string;
  /** Markup below the title. */
  readonly head: readonly string[];
  readonly facts: readonly Fact[];
  readonly parts: readonly Section[];
  /** By the title of their part. */
  readonly pictures: Readonly<Record<string, readonly Svg[]>>;
  readonly style?: string;
  readonly footer: string;
}

export function htmlPage({ title, head, facts, parts, pictures, style = '', footer }: Page): string {
  const links = parts.map((part) => `<li><a href="#${idOf(part.title)}">${markupText(part.title)}</a></li>`);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${markupText(title)}</title>
<style>${STYLE}${style}
</style>
</head>
<body>
<main>
<h1>${markupText(title)}</h1>
${head.join('\n')}
<nav aria-label="Parts"><ul>${links.join('')}</ul></nav>
<dl>
${facts.map(([label, text]) => `<dt>${markupText(label)}</dt><dd>${textOf(text)}</dd>`).join('\n')}
</dl>
${parts.map((part) => sectionOf(part, pictures[part.title])).join('\n')}
<footer>${markupText(footer)}</footer>
</main>
</body>
</html>
`;
}

/** What stands in the address of a part. */
const idOf = (title: string) => title.toLowerCase().replace(/[^a-z0-9]+/g, '-');

/** Rows from which a table lies behind a fold. */
const LONG = 20;

function sectionOf({ title, lead, header, rows, notes, code = [], isEvidence }: Section, pictures?: readonly Svg[]) {
  const all =
    rows.length > 0
      ? `${table(title, header, rows, isEvidence ? 'evidence' : '', title === 'Checks' ? 'checks' : '')}\n`
      : '';
  const folded = rows.length > LONG && !isEvidence;
  return [
    `<h2 id="${idOf(title)}">${markupText(title)}</h2>\n${paragraphs(lead)}`,
    folded ? `<details class="long"><summary>${rows.length} rows</summary>\n${all}</details>\n` : all,
    list(notes),
    code.length > 0 ? `<pre tabindex="0"><code>${code.map(markupText).join('\n')}</code></pre>` : '',
    figures(pictures),
  ].join('');
}

const figures = (pictures: readonly Svg[] = []): string =>
  pictures.length === 0 ? '' : `\n<div class="pictures">\n${pictures.map(figure).join('\n')}\n</div>`;

/** Known within a page, which names no address. */
const NAMESPACE = / xmlns="[^"]*"/;

/** The numbers of a picture lie behind a fold. */
const figure = (picture: Svg): string => `<figure>
${String(picture).replace(NAMESPACE, '')}
<details><summary>Numbers: ${markupText(picture.title)}</summary>
${table(picture.title, picture.table.header, picture.table.rows, '', 'numbers')}
</details>
</figure>`;

function table(
  name: string,
  header: readonly string[],
  rows: readonly (readonly string[])[],
  kind: string,
  more = '',
): string {
  const cells = (tag: string, row: readonly string[]) =>
    row
      .map(
        (cell, at) =>
          `<${tag}>${!kind ? (at === 0 ? longNames(textOf(cell)) : textOf(cell)) : at === PLACE ? paths(cell) : inLines(cell)}</${tag.slice(0, 2)}>`,
      )
      .join('');
  return `<div class="scroll${kind && ` ${kind}`}${more && ` ${more}`}" role="region" tabindex="0" aria-label="${markupText(name)}: table"><table>
<thead><tr>${cells('th scope="col"', header)}</tr></thead>
<tbody>
${rows.map((row) => `<tr>${cells('td', row)}</tr>`).join('\n')}
</tbody>
</table></div>`;
}

/** Text with what stands in backticks as code. */
const textOf = (text: string) => markupText(text).replace(/`([^`]+)`/g, '<code>$1</code>');

/** Long names of scores, which may break after an underscore and not within a word. */
const longNames = (markup: string) => markup.replace(/^\w{14,}$/, (name) => name.replaceAll('_', '_<wbr>'));

const PLACE = 4;

/** Paths into the result, which may break before a dot and not within a word. */
const paths = (cell: string) => markupText(cell).replaceAll('.', '<wbr>.');

/** The lines of a cell of evidence; what is left to the author stands out. */
const inLines = (cell: string) =>
  cell
    .split('\n')
    .map((line) => (line.startsWith(TO_DO) ? `<b>${TO_DO}</b>${textOf(line.slice(TO_DO.length))}` : textOf(line)))
    .join('<br>');

const paragraphs = (texts: readonly string[] = []) => texts.map((text) => `<p>${textOf(text)}</p>\n`).join('');

const list = (items: readonly string[]) =>
  items.length === 0 ? '' : `<ul>\n${items.map((item) => `<li>${textOf(item)}</li>`).join('\n')}\n</ul>`;
