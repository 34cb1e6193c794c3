/**
 * Features of pure noise, selected on all rows before the folds are made, and inside the folds: what selection alone does
 * to an area under the curve. With a file name as argument it draws the picture of docs/preprocessing.md.
 */
import { writeFile } from 'node:fs/promises';
import { randomSource, StratifiedKFold, UniversalCVRunner } from 'cvkit';
import { LogisticRegression } from 'cvkit/estimators';
import { SelectKBest, StandardScaler } from 'cvkit/preprocessing';

const [ROWS, FEATURES, KEPT] = [60, 1000, 10];
const [picture] = process.argv.slice(2);
const dataSets = picture ? 40 : 8;

/** Standard normal numbers that know nothing of the labels. */
function noise(seed) {
  const random = randomSource(seed);
  const normal = () => Math.sqrt(-2 * Math.log(1 - random.random())) * Math.cos(2 * Math.PI * random.random());
  return {
    X: Array.from({ length: ROWS }, () => Array.from({ length: FEATURES }, normal)),
    y: Array.from({ length: ROWS }, (_, row) => row % 2),
  };
}

async function area(data, preprocessing, randomState) {
  const cvSplitter = new StratifiedKFold({ nSplits: 5, shuffle: true, randomState });
  const results = await new UniversalCVRunner({ cvSplitter, verbose: 0 }).run({
    model: () => new LogisticRegression(),
    data,
    preprocessing,
    metrics: ['roc_auc'],
  });
  return results.estimates.roc_auc;
}

const inside = [];
const before = [];
for (let seed = 1; seed <= dataSets; seed++) {
  const { X, y } = noise(seed);
  inside.push(await area([X, y], [new SelectKBest({ k: KEPT }), new StandardScaler()], seed));
  const selected = await new SelectKBest({ k: KEPT }).fitTransform(X, y); // sees the rows that are tested later
  before.push(await area([selected, y], new StandardScaler(), seed));
}
const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;

if (picture) await writeFile(picture, drawing());
console.log(
  `${dataSets} data sets of noise: mean AUC ${mean(inside).toFixed(2)} selected inside the folds, ${mean(before).toFixed(2)} selected before`,
);

/** One dot for each data set, in two rows over one scale. */
function drawing() {
  const x = (value) => (150 + 430 * value).toFixed(1);
  const ticks = [0, 0.25, 0.5, 0.75, 1].map(
    (value) =>
      `<line x1="${x(value)}" y1="20" x2="${x(value)}" y2="130" stroke="${value === 0.5 ? '#555' : '#ddd'}"/>` +
      `<text x="${x(value)}" y="148" text-anchor="middle">${value}</text>`,
  );
  const row = (label, values, y, colour) =>
    `<text x="10" y="${y + 4}">${label}</text>` +
    values
      .map(
        (value, at) =>
          `<circle cx="${x(value)}" cy="${y - 12 + ((at * 7) % 25)}" r="4" fill="${colour}" opacity=".6"/>`,
      )
      .join('');
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 600 180" font-family="sans-serif" font-size="13">
<title>Areas under the curve of ${dataSets} data sets of pure noise</title>
<rect width="600" height="180" fill="#fff"/>
${ticks.join('\n')}
${row('inside the folds', inside, 50, '#1b6ca8')}
${row('on all rows before', before, 105, '#c0392b')}
<text x="${x(0.5)}" y="170" text-anchor="middle">area under the ROC curve, ${dataSets} data sets of pure noise</text>
</svg>
`;
}
