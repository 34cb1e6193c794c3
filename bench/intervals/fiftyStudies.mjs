/**
 * The picture of docs/intervals.md: fifty studies of one procedure, each with two intervals of its sensitivity, without and
 * with further fits, and the true value. It illustrates; how often intervals cover is for docs/coverage.md.
 *
 * node bench/intervals/fiftyStudies.mjs [--write]
 */
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { CVKitValidator, deriveSeed } from 'cvkit';
import { LogisticRegression } from 'cvkit/estimators';
import { stream } from '../coverageStudy/random.mjs';

const SEED = 1;
const STUDIES = 50;
const PATIENTS = 120;
const FOLDS = 5;
const FEATURES = 8;
const PREVALENCE = 0.35;
/** Distance of the classes in each of the first two features, in standard deviations. */
const SIGNAL = 0.7;
const TRAININGS = 2000;

/** Fresh patients, one row each; all ill with `prevalence` 1. */
function patients(count, seed, prevalence = PREVALENCE) {
  const { uniform, normal } = stream(seed);
  const y = Array.from({ length: count }, () => Number(uniform() < prevalence));
  const X = y.map((ill) => Array.from({ length: FEATURES }, (_, at) => normal() + (at < 2 ? SIGNAL * ill : 0)));
  return { X, y };
}

/** Mean sensitivity of models that are trained on as many patients as a fold has. */
function trueValue() {
  const { X } = patients(2000, deriveSeed(SEED, 'ill'), 1);
  let sum = 0;
  for (let training = 0; training < TRAININGS; training++) {
    const { X: rows, y } = patients((PATIENTS * (FOLDS - 1)) / FOLDS, deriveSeed(SEED, 'truth', training));
    const model = new LogisticRegression();
    model.fit(rows, y);
    sum += model.predict(X).filter((label) => label === 1).length / X.length;
  }
  return sum / TRAININGS;
}

async function study(at) {
  const data = patients(PATIENTS, deriveSeed(SEED, 'study', at));
  const intervals = [];
  for (const ciFits of [0, 10]) {
    const options = { nSplits: FOLDS, randomState: at, metrics: ['sensitivity'], ciFits };
    const run = { model: () => new LogisticRegression(), verbose: 0 };
    const result = await new CVKitValidator({ ...options, checkLeakage: false, checkBalance: false }).validate({
      ...run,
      ...data,
    });
    intervals.push(result.confidenceIntervals.sensitivity);
  }
  return intervals;
}

const truth = trueValue();
const studies = [];
for (let at = 0; at < STUDIES; at++) studies.push(await study(at));
const holds = ({ lower, upper }) => lower <= truth && truth <= upper;
const counts = [0, 1].map((side) => studies.filter((each) => holds(each[side])).length);
console.log(`true sensitivity ${truth.toFixed(3)}; held by ${counts.join(' and ')} of ${STUDIES}`);
if (process.argv.includes('--write')) {
  const path = fileURLToPath(new URL('../../docs/images/intervals.svg', import.meta.url));
  writeFileSync(path, picture());
}

/** Two panels, a line for each study in the order of the estimates. */
function picture() {
  const [width, height, top, step, panel] = [720, 470, 66, 7, 300];
  const ordered = [...studies].sort(([a], [b]) => a.estimate - b.estimate);
  const fixed = (value) => value.toFixed(1);
  const titles = ['ciFits: 0, about the models of the folds', 'ciFits: 10, about the training procedure'];
  const panels = titles.map((title, side) => {
    const left = 30 + side * (panel + 60);
    const x = (value) => left + value * panel;
    const bottom = top + STUDIES * step;
    const ticks = [0, 0.25, 0.5, 0.75, 1].map(
      (tick) =>
        `<line x1="${fixed(x(tick))}" y1="${bottom}" x2="${fixed(x(tick))}" y2="${bottom + 5}" stroke="#333"/><text x="${fixed(x(tick))}" y="${bottom + 20}" text-anchor="middle">${tick}</text>`,
    );
    const lines = ordered.map((each, row) => {
      const { lower, upper, estimate } = each[side];
      const colour = holds(each[side]) ? '#0072b2' : '#d55e00';
      const y = top + row * step + 3;
      return `<line x1="${fixed(x(lower))}" y1="${y}" x2="${fixed(x(upper))}" y2="${y}" stroke="${colour}" stroke-width="${holds(each[side]) ? 2 : 3}"/><circle cx="${fixed(x(estimate))}" cy="${y}" r="2.2" fill="${colour}"/>`;
    });
    return [
      `<text x="${left}" y="24" font-weight="bold">${title}</text>`,
      `<text x="${left}" y="44">${counts[side]} of ${STUDIES} hold the true value</text>`,
      `<line x1="${fixed(x(truth))}" y1="${top - 8}" x2="${fixed(x(truth))}" y2="${bottom}" stroke="#333" stroke-dasharray="4 3"/>`,
      `<line x1="${left}" y1="${bottom}" x2="${left + panel}" y2="${bottom}" stroke="#333"/>`,
      ...ticks,
      ...lines,
      `<text x="${left + panel / 2}" y="${bottom + 42}" text-anchor="middle">sensitivity</text>`,
    ].join('\n');
  });
  return `${[
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="sans-serif" font-size="13" role="img">`,
    '<title>Fifty studies of one training procedure, their intervals without and with further fits</title>',
    `<rect width="${width}" height="${height}" fill="#fff"/>`,
    ...panels,
    '</svg>',
  ].join('\n')}\n`;
}
