/** `cvkit recommend`: a design for a table, with reasons. */
import { wrapText } from '../../core/summaryText.js';
import { recommendCv } from '../../validator/recommendCv.js';
import { definedOf, type Flags } from '../flags.js';
import { RECOMMENDED, sidesOfTable } from '../folds.js';
import { flagOf, type Work } from '../program.js';
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
    ...['', 'On the command line:', '', `  cvkit run ${words(file, flags)} --method ${RECOMMENDED}`],
    ...['', 'In a program:', '', code.trimEnd().replace(/^(?=.)/gm, '  ')],
  ];
  await output.result(lines.join('\n'));
  return 0;
};

/** How `recommend` itself answers. */
const NOT_OF_TABLE = ['reporter', 'outputFile', 'force', 'color', 'quiet', 'debug'];

/** What the command line names of the table and the design. */
function words(file: string, flags: Flags): string {
  const quoted = (text: string) => (/^[\w./,=-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`);
  const written = Object.entries(flags).filter(([name]) => !NOT_OF_TABLE.includes(name));
  const named = written.map(([name, value]) => {
    const flag = `--${flagOf(name)}`;
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
