/** `cvkit recommend`: a design for a table, with reasons. */
import { wrapText } from '../../core/summaryText.js';
import { recommendCv } from '../../validator/recommendCv.js';
import { definedOf, type Flags } from '../flags.js';
import { sidesOfTable } from '../folds.js';
import type { Work } from '../program.js';
import { tableWithTarget } from '../table.js';

export const recommendCommand: Work = async ([file], flags, output) => {
  await output.checkPlaces([file]);
  const table = await tableWithTarget('recommend', file, flags);
  const { design, seed, reporter, task } = flags;
  const sides = {
    ...sidesOfTable(table),
    ...definedOf({ design, task, randomState: seed, positiveLabel: table.positiveLabel }),
  };
  const found = await recommendCv({ X: table.X, y: table.y, ...sides });
  const { method, category, rationale, warnings, code } = found;
  if (reporter === 'json') {
    await output.result(JSON.stringify({ method, category, rationale, warnings, code }, null, 1));
    return 0;
  }
  const lines = [
    ...[`Design: ${method}`, '', ...rationale.map((each) => wrapText(each, '- '))],
    ...(warnings.length > 0 ? ['', 'To know:', ...warnings.map((each) => wrapText(each, '- '))] : []),
    ...['', 'On the command line:', '', `  cvkit run ${words(file, flags)} --method ${method}`],
    ...['', 'In a program:', '', code.trimEnd().replace(/^(?=.)/gm, '  ')],
  ];
  await output.result(lines.join('\n'));
  return 0;
};

/** What was said of the table. */
function words(file: string, flags: Flags): string {
  const quoted = (text: string) => (/^[\w./,=-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`);
  const {
    design: _design,
    reporter: _reporter,
    outputFile: _file,
    force: _force,
    color: _color,
    quiet: _quiet,
    ...written
  } = flags;
  const named = Object.entries(written).map(([name, value]) => {
    const flag = `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
    if (value === true) return flag;
    const pairs = typeof value === 'object' && !Array.isArray(value) && value !== null;
    return `${flag} ${quoted(
      pairs
        ? Object.entries(value)
            .map((pair) => pair.join('='))
            .join(',')
        : String(value),
    )}`;
  });
  return [quoted(file), ...named].join(' ');
}
