/** Members of registries: the facts that their pages show, and an example from one template per family. */
import { markdownTable, ticks } from '../markdown.mjs';
import { optionTables } from '../options.mjs';
import { SHOWN } from '../splits.mjs';

/** Data of 60 rows by the name that splitters need them under. */
const SIDES = {
  y: 'const y = rows.map((row) => Number(row % 5 < 2));',
  groups: "const groups = rows.map((row) => 'ABCDEFGHIJKLMNO'[Math.floor(row / 4)]);",
  timestamps: 'const timestamps = rows.map((row) => new Date(Date.UTC(2024, 0, 1 + 6 * row)));',
  labelEndTimes: 'const labelEndTimes = rows.map((row) => new Date(Date.UTC(2024, 0, 19 + 6 * row)));',
  coordinates: 'const coordinates = rows.map((row) => [(row * 37) % 100, (row * 61) % 100]);',
  hierarchy:
    "const hierarchy = { site: rows.map((row) => 'ABCDEFG'[Math.floor(row / 9)]), patient: rows.map((row) => Math.floor(row / 3)) };",
  environment: 'const environment = { temperature: rows.map((row) => 10 + ((row * 29) % 15)) };',
};
const LABELS = 'const y = rows.map((row) => [Number(row % 2 === 0), Number(row % 4 === 0), Number(row % 7 < 2)]);';

/** Where options are made of the data, they are written here; all others are those of the pictures. */
const OPTIONS = {
  PredefinedSplit:
    'folds: [{ train: rows.slice(0, 40), test: rows.slice(40) }, { train: rows.slice(20), test: rows.slice(0, 20) }]',
  ClusterKFold: 'nSplits: 3, features: coordinates, randomState: 1',
  KNNDM: 'nSplits: 3, predictionPoints: rows.map((row) => [(row * 13) % 100, (row * 7) % 100]), randomState: 1',
};
const SIDES_OF = {
  ClusterKFold: ['coordinates'],
  NestedCV: [],
  NestedGroupedCV: ['groups'],
  NestedTemporalCV: ['timestamps'],
};
/** Fewer groups or rows, where each choice of them is a fold. */
const EACH_GROUP = ['LeaveOneGroupOut', 'LeavePGroupsOut'];
const FEW_GROUPS = "const groups = rows.map((row) => 'ABCD'[Math.floor(row / 15)]); // sites";
const FEW_ROWS = { LOOCV: 10, LPOCV: 5 };

export function splitterExample({ name, needs, needsOneOf = [], uses = [], family }) {
  const { options, without = [] } = SHOWN[name] ?? {};
  const written = OPTIONS[name] ?? optionsText(options);
  const sides = (SIDES_OF[name] ?? [...needs, ...needsOneOf.slice(0, 1), ...uses]).filter(
    (each) => !without.includes(each),
  );
  const named = Object.keys(SIDES).filter((each) => each !== 'y' && sides.includes(each));
  const takesY = sides.includes('y') || /stratify/.test(written);
  const codes = [
    ...(takesY ? [family === 'multilabel' ? LABELS : SIDES.y] : []),
    ...named.map((each) => sideCode(name, each)),
  ];
  const call = [
    FEW_ROWS[name] ?? 'rows.length',
    ...(takesY || named.length > 0 ? [takesY ? 'y' : 'null'] : []),
    ...(named.length > 0 ? [`{ ${named.join(', ')} }`] : []),
  ].join(', ');
  const usesRows = [...codes, written, call].some((code) => code.includes('rows'));
  return [
    ...(usesRows ? ['const rows = Array.from({ length: 60 }, (_, row) => row);'] : []),
    ...codes,
    `const splitter = new ${name}(${written ? `{ ${written} }` : ''});`,
    'console.log(splitter.describe());',
    `for (const { id, train, test } of splitter.split(${call})) {`,
    "  console.log(id, 'trains on', train.length, 'rows and tests', test.length);",
    '}',
  ].join('\n');
}

const sideCode = (splitter, side) => (side === 'groups' && EACH_GROUP.includes(splitter) ? FEW_GROUPS : SIDES[side]);

/** Options as one writes them; those with splitters in them make these by a function. */
function optionsText(options = {}) {
  const make = (name, its) => ({ code: `new ${name}({ ${optionsText(its)} })` });
  const own = typeof options === 'function' ? options(make) : options;
  return Object.entries(own)
    .map(([name, value]) => `${name}: ${value.code ?? JSON.stringify(value).replaceAll('"', "'")}`)
    .join(', ');
}

export function splitterFacts({ name, needs, orOption, needsOneOf = [], uses = [], claims }, tables) {
  const data = [
    needs.length > 0 ? `needs ${ticks(needs)}${orOption ? `, or the option \`${orOption}\`` : ''}` : '',
    needsOneOf.length > 0 ? `needs ${needsOneOf.map((each) => `\`${each}\``).join(' or ')}` : '',
    uses.length > 0 ? `uses ${ticks(uses)} when given` : '',
  ].filter(Boolean);
  const promises = Object.keys(claims).filter((each) => claims[each]);
  return [
    [
      `In the validator: \`method: '${tables.methodName(name)}'\`.`,
      data.length > 0 ? `Data: ${data.join('; ')}.` : 'Data: rows alone.',
      promises.length > 0 ? `Promises, which are checked: ${ticks(promises)}.` : '',
    ]
      .filter(Boolean)
      .join(' '),
    `![Folds of ${name}: a line for each fold](../../images/splits/${name}.svg)`,
  ];
}

const BINARY =
  'const yTrue = [1, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1, 0];\nconst yProba = [0.9, 0.4, 0.2, 0.6, 0.7, 0.1, 0.3, 0.8, 0.45, 0.05, 0.65, 0.25];';
const CLASSES = `const yTrue = [0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2];
const yProba = yTrue.map((label, row) => [0, 1, 2].map((one) => (one === (row % 4 === 3 ? (label + 1) % 3 : label) ? 0.6 : 0.2)));`;
const LABELLED = `const yTrue = Array.from({ length: 16 }, (_, row) => [Number(row % 2 === 0), Number(row % 3 === 0)]);
const yProba = yTrue.map((labels, row) => labels.map((label, at) => (row % 5 === at ? 0.45 : 0.2 + 0.6 * label)));`;
const NUMBERS = `const yTrue = [3.1, 5, 2.4, 7.7, 6, 4.2, 5.5, 8.1, 2.9, 6.6, 4.8, 3.7];
const yPred = [2.8, 5.6, 2.9, 7.1, 6.3, 3.5, 5.9, 7.4, 3.3, 6.1, 5.2, 3.9];`;
const SURVIVAL = `const rows = Array.from({ length: 40 }, (_, row) => row);
const risk = rows.map((row) => ((row * 7) % 10) / 5 - 1);
const time = rows.map((row) => 1 + (((row * 11) % 40) / 4) * Math.exp(-risk[row] / 2));
const event = rows.map((row) => Number(row % 4 > 0));
const times = [4, 8];
const survival = risk.map((each) => times.map((t) => Math.exp((-t * Math.exp(each)) / 10)));`;
const MASKS = `/** Two masks of 4 x 4 pixels each, of two patients; the model finds all pixels but those of the first column. */
const image = (left) => Array.from({ length: 4 }, () => [left, 1, 1, 0]);
const y = [image(1), image(0), image(1), image(1), image(0), image(0)];
const groups = ['a', 'a', 'b', 'b', 'c', 'c'];
const model = () => ({ fit() {}, predict: (rows) => rows.map(() => image(0)) });`;

/** A metric by its task: of predictions that exist, or for masks of a run. */
export function metricExample({ name, tasks, place }) {
  const [task] = tasks;
  const metric = place ? name.replace('_at_t', '_at_4') : name;
  if (task === 'survival') {
    return `${SURVIVAL}\nconst { ${metric} } = survivalScores({ time, event, risk, survival, times, method: 'analytic' });\nconsole.log(${metric}.estimate, ${metric}.lower, ${metric}.upper);`;
  }
  if (MASK_METRIC.test(name)) {
    return `${MASKS}
const runner = new UniversalCVRunner({ cvSplitter: new GroupKFold({ nSplits: 3 }), verbose: 0 });
const { estimates } = await runner.run({ model, data: { X: y, y, groups }, metrics: ['${metric}']${name.startsWith('nsd') ? ', tolerance: 1' : ''} });
console.log(estimates.${metric});`;
  }
  const data = { binary: BINARY, multiclass: CLASSES, multilabel: LABELLED, regression: NUMBERS }[task];
  const columns = task === 'regression' ? 'yTrue, yPred' : 'yTrue, yProba';
  return `${data}
const result = await evaluate({ ${columns}, metrics: ['${metric}'] });
const { estimate, lower, upper } = result.confidenceIntervals.${metric};
console.log(estimate, lower, upper);`;
}

const MASK_METRIC = /^(dice|iou)_by_patient$|^(hd95|nsd)/;

export function metricFacts({ direction, target, range: [low, high], tasks, needs, combine, aliases = [] }) {
  const limit = (value) => (Number.isFinite(value) ? String(value) : value < 0 ? '-∞' : '∞');
  const better = { maximize: 'higher', minimize: 'lower', target: `nearer ${target}` }[direction];
  const over = { mean: 'mean of the folds', pooled: 'one value over all tested rows' }[combine];
  return [
    markdownTable(
      ['better', 'range', 'tasks', 'needs', 'over folds'],
      [[better, `${limit(low)} to ${limit(high)}`, tasks.join(', '), needs, over]],
    ),
    ...(aliases.length > 0 ? [`Also called ${ticks(aliases)}.`] : []),
  ];
}

/** Metric and further options of a run that shows an interval method. */
const INTERVALS = {
  wilson: ['sensitivity'],
  clopper_pearson: ['sensitivity'],
  nested_cv: ['accuracy', 'nestedCvRepeats: 10'],
};

export function intervalExample({ name }) {
  const [metric = 'roc_auc', ...more] = INTERVALS[name] ?? [];
  const options = [`ciMethod: '${name}'`, `metrics: ['${metric}']`, ...more, 'independentRows: true'].join(', ');
  return `const validator = new CVKitValidator({ ${options} });
const result = await validator.validate({ model, X, y, preprocessing, verbose: 0 });
const { estimate, lower, upper, estimand } = result.confidenceIntervals.${metric};
console.log(estimate, lower, upper, estimand);`;
}

const RESAMPLERS = ['RandomOverSampler', 'RandomUnderSampler', 'SMOTE'];
const IMAGES =
  'const images = Array.from({ length: 2 }, (_, at) => Array.from({ length: 4 }, (_, row) => Array.from({ length: 4 }, (_, column) => [at + row * column])));';
const TABLE = 'const X = [[1, 10], [2, NaN], [3, 30], [4, 20]];';
/** Options, and rows where numbers of a table are not what a transformer takes. */
const STEPS = {
  OneHotEncoder: ['', "const X = [['a', 1], ['b', 2], ['a', 3]];"],
  OrdinalEncoder: ['', "const X = [['low', 1], ['high', 2], ['low', 3]];"],
  PCA: ['{ nComponents: 1 }', 'const X = [[1, 10], [2, 18], [3, 31], [4, 39]];'],
  VarianceThreshold: ['', 'const X = [[1, 7], [2, 7], [3, 7]];'],
  SelectKBest: ['{ k: 1 }', 'const X = [[1, 5], [2, 1], [8, 4], [9, 2]];\nconst y = [0, 0, 1, 1];'],
  CenterCrop: ['{ size: 2 }', IMAGES],
  Pad: ['{ size: 6 }', IMAGES],
  Resize: ['{ size: 2 }', IMAGES],
  ChannelScaler: ['', IMAGES],
  SequenceScaler: ['', 'const X = [[[1, 10], [2, 20]], [[3, 30], [4, 50]]]; // rows, steps, features'],
};

export function transformerExample(name) {
  if (RESAMPLERS.includes(name)) {
    const options = name === 'SMOTE' ? 'kNeighbors: 2, randomState: 1' : 'randomState: 1';
    return `const X = [[1], [2], [3], [4], [5], [6], [11], [12], [14]];
const y = [0, 0, 0, 0, 0, 0, 1, 1, 1];
const resampled = await new ${name}({ ${options} }).fitResample(X, y);
console.log(resampled.X, resampled.y);`;
  }
  const [options = '', data = TABLE] = STEPS[name] ?? [];
  const rows = data === IMAGES ? 'images' : 'X';
  const labels = data.includes('const y') ? ', y' : '';
  return `${data}
const step = new ${name}(${options});
console.log(await step.fitTransform(${rows}${labels}));
console.log(step.describe());`;
}

export const datasetExample = (name, isLoader) =>
  `const data = ${isLoader ? 'await ' : ''}${name}();
console.log(data.X.length, 'rows of', Object.keys(data.X[0]).length, 'features');
console.log(data.description);`;

/** What an adapter can do, and what `adapterOptions` may hold for it. */
export function adapterFacts({ adapter, options }, tables) {
  const can = Object.entries(adapter.capabilities).filter(([, value]) => typeof value === 'boolean');
  return [
    `A model tells which adapter it needs; \`framework: '${adapter.name}'\` names it.`,
    markdownTable(
      ['capability', 'has it'],
      can.map(([name, value]) => [`\`${name}\``, value ? 'yes' : 'no']),
    ),
    ...(options ? [`## adapterOptions\n\n${optionTables(options, tables)}`] : []),
  ];
}
