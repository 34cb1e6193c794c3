/** `cvkit explain`: the page of a check, or what is known of the code of an error. */
import { readdir, readFile } from 'node:fs/promises';
import { allBalanceChecks, allLeakageChecks } from '../../checkers/builtInChecks.js';
import { RESULT_CHECKS } from '../../checkers/resultChecks.js';
import { InvalidOptionError, sentence, suggestion } from '../../core/errors.js';
import { ifThere } from '../../core/wholeFile.js';
import { ownFolder } from '../ownFiles.js';
import type { Work } from '../program.js';

const known = () => [...allLeakageChecks(), ...allBalanceChecks(), ...Object.values(RESULT_CHECKS)];

export const explainCommand: Work = async ([name], _flags, output) => {
  const pages = (await readdir(ownFolder('docs', 'checks'))).map((file) => file.replace(/\.md$/, '')).sort();
  if (name === undefined) {
    const titles = await Promise.all(pages.map(async (code) => (await pageOf(code)).split('\n')[0].replace(/^# /, '')));
    await output.result(titles.join('\n'));
    return 0;
  }
  const types = known().map(({ code, type }) => [type, code] as const);
  const code = types.find(([type]) => type === name.toLowerCase())?.[1] ?? name.toUpperCase();
  if (pages.includes(code)) {
    await output.result(await pageOf(code));
    return 0;
  }
  const errors = await readFile(ownFolder('docs', 'reference', 'errors.md'), 'utf8');
  const lines = errors.split('\n').filter((line) => line.split(' | ')[0].includes(`\`${name}\``));
  if (lines.length === 0) {
    const must = 'be the code or type of a check, or the code of an error';
    const way = suggestion(name, [...pages, ...types.map(([type]) => type)]);
    throw new InvalidOptionError(
      sentence('CODE of `cvkit explain`', must, name, way || 'Call it without one for a list.'),
    );
  }
  const texts = lines.map((line) => line.split(' | ').map((cell) => cell.replace(/^\| | \|$/g, '')));
  await output.result(texts.map((cells) => cells.join(': ')).join('\n'));
  return 0;
};

const pageOf = (code: string) => ifThere(() => readFile(ownFolder('docs', 'checks', `${code}.md`), 'utf8'), '');
