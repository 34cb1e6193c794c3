/** Puts the chunks of the comparison study together. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ANSWERS, METRICS } from './scenarios.mjs';

/** Per scenario and metric what each answer did. Scenarios without a chunk are left out. */
export function summarise(scenarios, folder, counts) {
  return scenarios.flatMap((scenario) => {
    const found = chunks(folder, scenario.id, 'answers', counts.answers);
    const truths = scenario.pair === 'different' ? chunks(folder, scenario.id, 'truth', counts.truth) : [];
    if (found.length === 0 || (scenario.pair === 'different' && truths.length === 0)) return [];
    return METRICS.map((metric) => {
      const all = found.flatMap((chunk) => chunk[metric]);
      const sum = (key) => truths.reduce((total, chunk) => total + chunk[metric][key], 0);
      const truth = scenario.pair === 'different' ? sum('sum') / sum('count') : 0;
      return {
        ...scenario,
        metric,
        truth,
        repetitions: all.length,
        ...Object.fromEntries(ANSWERS.map((name) => [name, judged(all, name, truth)])),
        signFlip: mean(all.map((each) => Number(each.signFlip !== null && each.signFlip <= 0.05))),
      };
    });
  });
}

/**
 * Of [difference, standard error, p, lower, upper]: share of p <= .05, coverage of the truth, the true standard deviation of
 * the difference over the root mean square of the standard error, and the mean width over that of `correctedT` in the same
 * repetitions. An answer without limits where `paired` has some is missing and judged nowhere: nothing is trained, or a class
 * has fewer than 20 patients. The others without limits (equal predictions) reject nothing and count as covering.
 */
function judged(all, name, truth) {
  const answered = all.filter((each) => each[name][1] !== null || each.paired[1] === null);
  const found = answered.map((each) => each[name]);
  const given = answered.filter((each) => each[name][1] !== null);
  const differences = found.map(([difference]) => difference ?? 0);
  const centre = mean(differences);
  const sd = Math.sqrt(mean(differences.map((each) => (each - centre) ** 2)));
  const width = (of) =>
    mean(given.filter(({ correctedT }) => correctedT[1] !== null).map((each) => each[of][4] - each[of][3]));
  return {
    missing: all.length - answered.length,
    rejected: mean(found.map(([, , p]) => Number(p !== null && p <= 0.05))),
    covered: mean(found.map(([, , , lower, upper]) => Number(lower === null || (lower <= truth && truth <= upper)))),
    ratio: sd / Math.sqrt(mean(given.map((each) => each[name][1] ** 2))),
    width: width(name) / width('correctedT'),
  };
}

function chunks(folder, id, kind, count) {
  const found = [];
  for (let from = 0; from < count; from++) {
    const file = join(folder, `${id}.${kind}.${from}.json`);
    if (existsSync(file)) found.push(JSON.parse(readFileSync(file, 'utf8')));
  }
  return found;
}

const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;
const share = (value) => (Number.isNaN(value) ? '—' : value.toFixed(3));
const ratio = (value) => (Number.isNaN(value) ? '—' : value.toFixed(2));
const row = (cells) => `| ${cells.join(' | ')} |`;
/** Titles of the columns of all answers, and their cells. */
const titles = (first, rest) => ANSWERS.map((name, at) => `${at === 0 ? first : rest}\`${name}\``);
const cells = (line, key, as) => ANSWERS.map((name) => as(line[name][key]));

/** Tables for the docs. */
export function markdown(summary) {
  const nameOf = ({ id, pair }) =>
    `${pair === 'fixed' ? 'fixed scores ' : ''}${id.replace(/^(equal|fixed|different)-/, '')}`;
  const same = summary.filter(({ pair }) => pair !== 'different');
  const other = summary.filter(({ pair }) => pair === 'different');
  const ofSame = [
    'two equal ones',
    'metric',
    ...titles('p <= .05 by ', 'by '),
    'by `signFlip`',
    ...titles('true sd / SE of ', 'of '),
    'width of `halfContrasts` / `correctedT`',
  ];
  const ofOther = [
    'different procedures',
    'metric',
    'true A - B',
    ...titles('covered by ', 'by '),
    ...titles('true sd / SE of ', 'of '),
  ];
  const ofPower = [
    'different procedures',
    'metric',
    'width of `halfContrasts` / `correctedT`',
    'of `paired` / `correctedT`',
    ...titles('p <= .05 by ', 'by '),
  ];
  return [
    row(ofSame),
    `|${'---|'.repeat(ofSame.length)}`,
    ...same.map((line) =>
      row([
        nameOf(line),
        line.metric,
        ...cells(line, 'rejected', share),
        share(line.signFlip),
        ...cells(line, 'ratio', ratio),
        ratio(line.halfContrasts.width),
      ]),
    ),
    '',
    row(ofOther),
    `|${'---|'.repeat(ofOther.length)}`,
    ...other.map((line) =>
      row([
        nameOf(line),
        line.metric,
        share(line.truth),
        ...cells(line, 'covered', share),
        ...cells(line, 'ratio', ratio),
      ]),
    ),
    '',
    row(ofPower),
    `|${'---|'.repeat(ofPower.length)}`,
    ...other.map((line) =>
      row([nameOf(line), line.metric, ...cells(line, 'width', ratio).slice(1), ...cells(line, 'rejected', share)]),
    ),
    '',
    `Repetitions: ${counted(summary, ({ repetitions }) => repetitions)}.`,
    `Without \`halfContrasts\`: ${counted(
      summary.filter(({ halfContrasts }) => halfContrasts.missing > 0),
      ({ halfContrasts }) => halfContrasts.missing,
    )}.`,
    '',
  ].join('\n');
}

/** `100 (scenario, scenario), 50 (scenario)`: the scenarios by a count that their metrics share. */
function counted(lines, of) {
  const byCount = new Map();
  for (const line of lines) byCount.set(of(line), (byCount.get(of(line)) ?? new Set()).add(line.id));
  return Array.from(byCount, ([count, ids]) => `${count} (${[...ids].join(', ')})`).join(', ') || 'none';
}
