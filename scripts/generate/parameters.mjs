/** What a parameter means that means the same wherever it stands. A docstring's own `@param` goes before. */
const PARAMETERS = {
  // data
  X: 'Rows: arrays, records, columns, a tensor, a data frame or a row source.',
  XTrain: 'Training rows.',
  XTest: 'Test rows.',
  XOriginal: 'All rows before they were prepared.',
  XProcessed: 'The same rows after it.',
  y: 'Label of each row: numbers, strings, booleans or a tensor; rows of 0 and 1 for several labels.',
  sampleWeight: 'Weight of each row, at least 0.',
  splitIndices: '`[train, test]`: numbers of the rows on each side.',
  data: '`groups`, `timestamps`, `coordinates` and so on, one value for each row.',
  hierarchy: 'Level to the id of each row, from the widest level to the narrowest.',
  n: 'Number of rows.',
  // folds
  seed: 'Seed of what is drawn.',
  nSplits: 'Number of folds.',
  splitter: 'A splitter, of cvkit or of your own.',
  fold: 'A fold with `inner`.',
  folds: 'Folds, each with `train` and `test`.',
  Class: 'A class of splitters, as `OwnSplitterClass` describes it.',
  // randomness
  base: 'The seed to begin with.',
  path: 'A file or a folder.',
  state: 'An integer, a text, a RandomSource, or null for a fresh one.',
  // metrics
  metric: 'A metric: its name, facts and `compute`.',
  table: 'Truth and predictions, from `scoreTable`.',
  reason: 'Why the value is undefined: words that follow "because".',
  rule: 'How the threshold is chosen.',
  pValues: 'P values; null stays null.',
  results: 'Results of a run.',
  // what the caller makes
  adapter: 'The adapter: a plain object.',
  check: 'The check: a plain object with `code`, `type`, `kind`, `needs` and `assess`.',
  input: 'What a check may read: the folds, X, y and side data.',
  predictions: '`yTrue` with `yPred`, `yProba` and what else is known of the rows.',
  onnxAdapterOptions: 'Options of the adapter, such as the runtime to use.',
  source: 'A model: a path, a URL or bytes.',
  json: 'What `toJSON` gave, or its text.',
  options: 'Options of the call.',
  // callbacks and events
  ctx: 'The fold: id, seed, sizes, parameters.',
  run: 'What is known before the first fold.',
  trial: 'The trial.',
  logs: 'Losses and metrics of the epoch.',
  inner: 'How many inner fits are done, of how many.',
  result: 'What the fold gave.',
  error: 'What broke the run off; nothing where it came to its end.',
  event: 'Name of the event.',
  listener: 'Called with the event.',
  context: '`this` of the listener.',
  // preparation
  stepParams: 'Parameter to value; those of steps are named `step__option`.',
  params: 'Parameter to value; those of steps are named `step__option`.',
  transformers: 'List of `[name, transformer, columns]`.',
  steps: 'Transformers in order, each alone or as `[name, transformer]`.',
  func: 'Function from rows to rows, or a module that has one.',
  // search
  name: 'Its name.',
  distribution: 'The values that a parameter may take.',
  shuffle: 'Try the grid in random order.',
  key: 'Name of the attribute.',
  value: 'Its value: anything that JSON can hold.',
  low: 'Lowest value.',
  high: 'Highest value.',
  choices: 'The values to choose from.',
  // errors
  message: 'One sentence: what must hold, and what was found.',
  facts: 'The `code`, the `cause` and the `file` of the error.',
  cause: 'The error behind it.',
  foldId: 'Id of the fold that failed.',
  packageName: 'Package that is missing.',
  purpose: 'What it is needed for.',
  install: 'Command that installs it.',
  callback: 'Name of the callback.',
  hook: 'Name of the hook that threw.',
};

/** Parameters of the same kind under other names, which are taken from their types. */
const SAME_AS = {
  runContext: 'run',
};

const used = new Set();

/** What a parameter of that name means; '' where no meaning is known. */
export function meaningOf(name) {
  const meant = SAME_AS[name] ?? name;
  used.add(name).add(meant);
  return PARAMETERS[meant] ?? '';
}

/** Throws for entries that describe nothing, so that none can go stale. */
export function checkUse() {
  const idle = [...Object.keys(PARAMETERS), ...Object.keys(SAME_AS)].filter((name) => !used.has(name));
  if (idle.length > 0) throw new Error(`scripts/generate/parameters.mjs: nothing is called ${idle.join(', ')}`);
}
