/** Puts the chunks of the comparison study together. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { METRICS } from './scenarios.mjs';

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
        correctedT: judged(
          all.map((each) => each.correctedT),
          truth,
        ),
        paired: judged(
          all.map((each) => each.paired),
          truth,
        ),
        signFlip: mean(all.map((each) => Number(each.signFlip !== null && each.signFlip <= 0.05))),
      };
    });
  });
}

/**
 * Of [difference, standard error, p, lower, upper]: share of p <= .05, coverage of the truth, and the true standard deviation of
 * the difference over the mean standard error. Answers without limits (equal predictions) reject nothing and count as covering.
 */
function judged(all, truth) {
  const given = all.filter(([, se]) => se !== null);
  const differences = all.map(([difference]) => difference ?? 0);
  const centre = mean(differences);
  const sd = Math.sqrt(mean(differences.map((each) => (each - centre) ** 2)));
  return {
    missing: all.length - given.length,
    rejected: mean(all.map(([, , p]) => Number(p !== null && p <= 0.05))),
    covered: mean(all.map(([, , , lower, upper]) => Number(lower === null || (lower <= truth && truth <= upper)))),
    ratio: sd / Math.sqrt(mean(given.map(([, se]) => se ** 2))),
    width: mean(given.map(([, , , lower, upper]) => upper - lower)),
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
const share = (value) => value.toFixed(3);

/** Tables for the docs. */
export function markdown(summary) {
  const nameOf = ({ id }) => id.replace(/^(equal|fixed|different)-/, '');
  const same = summary.filter(({ pair }) => pair !== 'different');
  const other = summary.filter(({ pair }) => pair === 'different');
  return [
    '| two equal ones | metric | `correctedT` p <= .05 | `paired` p <= .05 | `signFlip` p <= .05 | true sd / SE of `correctedT` | of `paired` |',
    '|---|---|---|---|---|---|---|',
    ...same.map((row) => {
      const { metric, correctedT, paired, signFlip } = row;
      const cells = [correctedT.rejected, paired.rejected, signFlip].map(share);
      const about = row.pair === 'fixed' ? 'fixed scores ' : '';
      return `| ${about}${nameOf(row)} | ${metric} | ${cells.join(' | ')} | ${correctedT.ratio.toFixed(2)} | ${paired.ratio.toFixed(2)} |`;
    }),
    '',
    '| different procedures | metric | true A - B | covered by `correctedT` | by `paired` | true sd / SE of `correctedT` | of `paired` | width of `paired` / `correctedT` |',
    '|---|---|---|---|---|---|---|---|',
    ...other.map((row) => {
      const { metric, truth, correctedT, paired } = row;
      const cells = [truth, correctedT.covered, paired.covered].map(share);
      const ratios = [correctedT.ratio, paired.ratio, paired.width / correctedT.width].map((each) => each.toFixed(2));
      return `| ${nameOf(row)} | ${metric} | ${[...cells, ...ratios].join(' | ')} |`;
    }),
    '',
  ].join('\n');
}
