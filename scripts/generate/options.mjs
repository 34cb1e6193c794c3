/** docs/options.md: every option of the validator and the runner, grouped by what it is for. */
import { markdownTable, ticks } from './markdown.mjs';

/** The calls, by the owner of their option table, in the order in which a reader meets them. */
const CALLS = {
  CVKitValidator: 'new CVKitValidator',
  validate: 'validate',
  UniversalCVRunner: 'new UniversalCVRunner',
  run: 'run',
  data: 'data',
  fitValidate: 'fitValidate',
};

const GROUPS = {
  'Data and patients': [
    'X',
    'y',
    'data',
    'groups',
    'patientIds',
    'timestamps',
    'labelEndTimes',
    'coordinates',
    'hierarchy',
    'environment',
    'featureNames',
    'sampleWeight',
    'auxiliary',
    'spacing',
    'tolerance',
    'aggregate',
    'task',
    'positiveLabel',
    'times',
    'causeOfInterest',
    'XTrain',
    'yTrain',
    'XTest',
    'yTest',
    'testGroups',
    'testPatientIds',
    'sampleWeightTest',
  ],
  'Origin of the data': ['description', 'license', 'source', 'sha256', 'trueAuc', 'truth', 'warnings', 'repeatedIds'],
  Folds: [
    'cv',
    'method',
    'nSplits',
    'shuffle',
    'cvSplitter',
    'splitterOptions',
    'folds',
    'holdoutTestSize',
    'holdoutStratify',
    'repeatedKfoldRepeats',
    'lpocvP',
    'monteCarloIterations',
    'monteCarloTestSize',
    'bootstrapValidationIterations',
    'bootstrapValidationEstimator',
  ],
  'Model and training': [
    'model',
    'preprocessing',
    'epochs',
    'batchSize',
    'optimizer',
    'lossFn',
    'classWeight',
    'augment',
    'validation',
    'callbacks',
    'framework',
    'adapter',
    'adapterOptions',
  ],
  'Decisions within each fold': ['threshold', 'recalibrate'],
  Scores: ['metrics', 'scoring', 'returnTrainScores', 'importance', 'apparent', 'refit'],
  Intervals: [
    'returnConfidenceIntervals',
    'ciMethod',
    'ciLevel',
    'nBootstrap',
    'ciFits',
    'nestedCvRepeats',
    'ciRefits',
    'sampling',
  ],
  Checks: [
    'checkLeakage',
    'checkBalance',
    'independentRows',
    'preparedInside',
    'notApplicable',
    'acknowledged',
    'design',
    'spatialThreshold',
    'embeddings',
    'revealIds',
    'leakageChecker',
    'raiseOn',
  ],
  'Evidence for guidelines': ['compliance', 'checklists'],
  'The run itself': [
    'randomState',
    'verbose',
    'executor',
    'nJobs',
    'onFoldError',
    'signal',
    'foldTimeout',
    'retries',
    'runDirectory',
    'resumeKey',
    'copyData',
    'shard',
    'dryRun',
    'parent',
    'verifyIsolation',
    'keepModels',
    'modelPath',
    'overwrite',
  ],
};

/** One table per group. An option without a group, or a group with an option that is gone, is an error. */
export function optionPage({ tables }) {
  const known = new Set(Object.keys(CALLS).flatMap((owner) => Object.keys(tables.get(owner).shape)));
  const grouped = Object.values(GROUPS).flat();
  const faults = [
    ...[...known].filter((name) => !grouped.includes(name)).map((name) => `${name} stands in no group`),
    ...grouped.filter((name) => !known.has(name)).map((name) => `${name} is no option`),
    ...grouped.filter((name, at) => grouped.indexOf(name) !== at).map((name) => `${name} stands in two groups`),
  ];
  if (faults.length > 0) throw new Error(`scripts/generate/options.mjs: ${faults.join('; ')}`);
  return Object.entries(GROUPS)
    .map(([title, names]) => `## ${title}\n\n${groupTable(names.flatMap((name) => rowsOf(name, tables)))}`)
    .join('\n\n');
}

const groupTable = (rows) => markdownTable(['option', 'where', 'type', 'must be', 'default', 'what it does'], rows);

/** Rows of an option: one for all calls that say the same of it, else one each. */
function rowsOf(name, tables) {
  const rows = new Map();
  for (const [owner, call] of Object.entries(CALLS)) {
    const option = tables.get(owner).shape[name];
    if (!option) continue;
    const cells = [`\`${option.type}\``, rangeText(option), defaultText(option), option.description];
    const key = cells.join('|');
    const row = rows.get(key) ?? { calls: [], aliases: new Set(), cells };
    row.calls.push(call);
    for (const alias of option.aliases) row.aliases.add(alias);
    rows.set(key, row);
  }
  return [...rows.values()].map(({ calls, aliases, cells }) => [
    `\`${name}\`${aliases.size > 0 ? `, also ${ticks([...aliases])}` : ''}`,
    ticks(calls),
    ...cells,
  ]);
}

/** What a value must be beyond its type; nothing where the type says it all. */
function rangeText({ must }) {
  if (/^be (an array or typed array|rows|labels|given|true or false|a function|one of .*'|'inline')$/.test(must))
    return '';
  return must.replace(/^be /, '').replaceAll('>=', '≥').replaceAll('<=', '≤');
}

function defaultText({ presence, defaultValue }) {
  if (presence === 'required') return 'required';
  return presence === 'optional' ? '—' : `\`${JSON.stringify(defaultValue)}\``;
}
