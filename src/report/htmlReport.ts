import { markupText } from '../core/foreignText.js';
import type { ReportModel } from './reportModel.js';
import { facts, sections, TO_DO, titleOf } from './sections.js';

const STYLE = `
:root { color-scheme: light dark; }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.6rem; } h2 { font-size: 1.2rem; margin-top: 2rem; }
.status { padding: .6rem 1rem; border-left: .4rem solid; font-weight: 600; }
.passed, .passed_with_acknowledgements { border-color: #1a7f37; } .failed { border-color: #c62828; }
.needs_review, .not_fully_verified { border-color: #b26a00; }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
td:not(:last-child), th { white-space: nowrap; }
th, td { text-align: left; padding: .35rem .8rem .35rem 0; border-bottom: 1px solid #8884; vertical-align: top; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .2rem 1.2rem; margin: 0; }
dt { font-weight: 600; } dd { margin: 0; }
.scroll { overflow-x: auto; } footer { margin-top: 3rem; font-size: .85rem; opacity: .75; }`;

const EVIDENCE_STYLE = `
.evidence table { font-size: .85rem; }
.evidence td:not(:last-child), .evidence th { white-space: normal; }
.evidence th:nth-child(1) { width: 1%; } .evidence th:nth-child(2) { width: 14%; } .evidence th:nth-child(3) { width: 8%; }
.evidence th:nth-child(4) { width: 46%; } .evidence td:nth-child(5) { font-size: .9em; overflow-wrap: break-word; }
.evidence td:nth-child(1) { font-weight: 600; white-space: nowrap; padding-right: 1.2rem; }
@media print { body { max-width: none; margin: 0; padding: 0; } .evidence table { font-size: .7rem; } tr { break-inside: avoid; } thead { display: table-header-group; } }`;

/** The result as one self-contained page: no script, no external address, no rows of data. */
export function htmlReport(result: ReportModel): string {
  const { manifest } = result;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${titleOf(result)}: report</title>
<style>${STYLE}${result.evidence ? EVIDENCE_STYLE : ''}
</style>
</head>
<body>
<h1>${titleOf(result)}: report</h1>
<p class="status ${result.verdict.status}">${textOf(result.verdict.text)}</p>
<dl>
${facts(result, { details: true })
  .map(([label, text]) => `<dt>${markupText(label)}</dt><dd>${textOf(text)}</dd>`)
  .join('\n')}
</dl>
${sections(result)
  .map(
    ({ title, lead, header, rows, notes }) =>
      `<h2>${markupText(title)}</h2>\n${paragraphs(lead)}${table(header, rows, lead ? 'evidence' : '')}\n${list(notes)}`,
  )
  .join('\n')}
<footer>cvkit ${markupText(manifest.cvkit)}, ${markupText(manifest.startedAt)}</footer>
</body>
</html>
`;
}

function table(header: readonly string[], rows: readonly (readonly string[])[], kind: string): string {
  const cells = (tag: string, row: readonly string[]) =>
    row
      .map((cell, at) => `<${tag}>${!kind ? textOf(cell) : at === PLACE ? paths(cell) : inLines(cell)}</${tag}>`)
      .join('');
  return `<div class="scroll${kind && ` ${kind}`}"><table>
<thead><tr>${cells('th', header)}</tr></thead>
<tbody>
${rows.map((row) => `<tr>${cells('td', row)}</tr>`).join('\n')}
</tbody>
</table></div>`;
}

/** Text with what stands in backticks as code. */
const textOf = (text: string) => markupText(text).replace(/`([^`]+)`/g, '<code>$1</code>');

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
