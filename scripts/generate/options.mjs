/** Tables of options for the reference; those of the validator and the runner are grouped by what they are for. */
import { short } from './llmsFull.mjs';
import { markdownTable, ticks } from './markdown.mjs';

/** Owners of the option tables that are grouped. */
const CALLS = ['CVKitValidator', 'validate', 'UniversalCVRunner', 'run', 'data', 'fitValidate'];

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

/** The group of each option; an option of these calls without one, or a name that is no option, is an error. */
function groupsOf({ tables }) {
  const known = new Set(CALLS.flatMap((owner) => Object.keys(tables.get(owner).shape)));
  const grouped = Object.values(GROUPS).flat();
  const faults = [
    ...[...known].filter((name) => !grouped.includes(name)).map((name) => `${name} stands in no group`),
    ...grouped.filter((name) => !known.has(name)).map((name) => `${name} is no option`),
    ...grouped.filter((name, at) => grouped.indexOf(name) !== at).map((name) => `${name} stands in two groups`),
  ];
  if (faults.length > 0) throw new Error(`scripts/generate/options.mjs: ${faults.join('; ')}`);
  return GROUPS;
}

/** Options of a table: those of the large calls by what they are for, all others in one table. */
export function optionTables({ owner, shape }, tables, text = (each) => each) {
  const row = (name) => optionRow(name, shape[name], text);
  const names = Object.keys(shape);
  if (names.length === 0) return '';
  const table = (some) => markdownTable(['option', 'type', 'default', 'what it is'], some.map(row));
  if (!CALLS.includes(owner) || names.length <= FEW) return table(names);
  return Object.entries(groupsOf(tables))
    .map(([title, group]) => [title, group.filter((name) => names.includes(name))])
    .filter(([, group]) => group.length > 0)
    .map(([title, group]) => `**${title}**\n\n${table(group)}`)
    .join('\n\n');
}

/** Options that one table holds without a heading of its own for each part. */
const FEW = 12;

function optionRow(name, option, text) {
  const { type, aliases, description } = option;
  const range = rangeText(option);
  return [
    `\`${name}\`${aliases.length > 0 ? `, also ${ticks(aliases)}` : ''}`,
    `\`${type}\``,
    defaultText(option),
    text(`${description}${range ? ` Must be ${range}.` : ''}`),
  ];
}

/** What a value must be beyond its type; nothing where the type says it all. */
function rangeText({ must }) {
  if (/^be (an array or typed array|rows|labels|given|true or false|a function|one of .*'|'inline')$/.test(must))
    return '';
  return must.replace(/^be /, '').replaceAll('>=', '≥').replaceAll('<=', '≤');
}

function defaultText({ presence, defaultValue }) {
  if (presence === 'required') return 'required';
  return presence === 'optional' ? '—' : `\`${short(defaultValue)}\``;
}
