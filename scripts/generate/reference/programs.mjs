/** The short examples of docstrings made whole programs: imports, and invented data for the names that they use. */
import { freeNames } from './freeNames.mjs';

/** What a name of an example stands for, as code. All of it is invented, but for the data set that cvkit brings. */
const INVENTED = {
  model: 'const model = () => new LogisticRegression();',
  preprocessing: 'const preprocessing = new StandardScaler();',
  cv: 'const cv = new RepeatedGroupKFold({ nSplits: 4, nRepeats: 2, randomState: 1 });',
  cvSplitter: 'const cvSplitter = new StratifiedKFold({ shuffle: true, randomState: 1 });',
  runner: 'const runner = new UniversalCVRunner({ cvSplitter, verbose: 0 });',
  validator: 'const validator = new CVKitValidator({ independentRows: true });',
  results: 'const results = await runner.run({ model, data: [X, y], preprocessing });',
  result: 'const result = await validator.validate({ model, X, y, preprocessing, verbose: 0 });',
  logistic: `const logistic = await runner.run({ model, data: [X, y], preprocessing });`,
  ridge: `const ridge = await runner.run({ model: () => new LogisticRegression({ C: 0.01 }), data: [X, y], preprocessing });`,
  network:
    "const network = () => tf.sequential({ layers: [tf.layers.dense({ inputShape: [30], units: 1, activation: 'sigmoid' })] });",
  training: "const training = { epochs: 10, optimizer: 'adam', lossFn: 'binaryCrossentropy', validation: 0.2 };",
  newRows: 'const newRows = X.slice(0, 3);',
  text: 'const text = JSON.stringify(result.manifest);',
  random: 'const random = randomSource(1);',
  yTrue: 'const yTrue = [0, 0, 1, 1, 0, 1, 1, 0, 1, 0, 0, 1];',
  yProba: 'const yProba = [0.1, 0.3, 0.8, 0.7, 0.4, 0.35, 0.9, 0.2, 0.6, 0.55, 0.15, 0.65];',
  yPred: 'const yPred = yProba.map((risk) => Number(risk >= 0.5));',
  sites: "const sites = groups.map((_, row) => 'ABCD'[row % 4]);",
};

/** Names of the patients with several visits, as they stand in the pattern that takes them from the generator. */
const VISITS = {
  groups: 'groups',
  patientIds: 'groups: patientIds',
  timestamps: 'timestamps',
};

const NODE = Object.fromEntries(
  ['writeFile', 'readFile', 'readdir', 'mkdir'].map((name) => [name, 'node:fs/promises']),
);

/**
 * @param example lines of code as a docstring has them
 * @param froms entry by public name
 * @param owner whose example it is, for the error
 */
export function completed(example, froms, owner) {
  const before = [];
  const data = new Set();
  const need = (code) => {
    for (const name of freeNames(code)) {
      if (name in VISITS || name === 'X' || name === 'y') data.add(name);
      else if (name in INVENTED) {
        if (before.includes(INVENTED[name])) continue;
        need(INVENTED[name]);
        before.push(INVENTED[name]);
      } else if (!froms.has(name) && !(name in NODE) && name !== 'tf') {
        throw new Error(
          `The example of ${owner} uses \`${name}\`, which scripts/generate/reference/programs.mjs has no code for`,
        );
      }
    }
  };
  const [imports, body] = parts(example);
  need(example);
  const lines = [...dataLine(data), ...before];
  const whole = `${lines.join('\n')}\n${body}`;
  const needed = freeNames(`${imports}\n${whole}`);
  const text = [
    [...imports.split('\n').filter(Boolean), ...importLines(needed, froms)].sort(byModule).join('\n'),
    lines.join('\n'),
    body,
  ];
  return text.filter(Boolean).join('\n\n');
}

/** Imports that an example has itself, and the rest of it. */
function parts(example) {
  const lines = example.split('\n');
  const at = lines.findIndex((line) => !line.startsWith('import ') && line !== '');
  return [lines.slice(0, at).join('\n').trim(), lines.slice(at).join('\n')];
}

/** Rows and labels: patients with several visits where groups or times are needed, else the data set that cvkit brings. */
function dataLine(names) {
  if (names.size === 0) return [];
  const columns = ['X', 'y'].filter((name) => names.has(name));
  const visits = Object.keys(VISITS).filter((name) => names.has(name));
  if (visits.length === 0)
    return [`const { ${columns.join(', ')} } = await loadCancerImaging(); // one row per patient`];
  const pattern = [...columns, ...visits.map((name) => VISITS[name])].join(', ');
  return [`const { ${pattern} } = generateTemporalPatientData({ missingRate: 0 });`];
}

function importLines(names, froms) {
  const byEntry = new Map();
  for (const name of names) {
    const entry = froms.get(name) ?? NODE[name];
    if (entry) byEntry.set(entry, [...(byEntry.get(entry) ?? []), name]);
  }
  const lines = Array.from(byEntry, ([entry, some]) => `import { ${some.sort(byName).join(', ')} } from '${entry}';`);
  return names.includes('tf') ? ["import * as tf from '@tensorflow/tfjs';", ...lines] : lines;
}

const byName = (a, b) => a.localeCompare(b, 'en');
const moduleOf = (line) => line.match(/'(.+)'/)[1];
/** Node's modules first, then by name. */
const byModule = (a, b) => {
  const [one, other] = [a, b].map(moduleOf);
  return Number(other.startsWith('node:')) - Number(one.startsWith('node:')) || byName(one, other);
};
