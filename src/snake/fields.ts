/**
 * What keeps its keys. Types say which fields are records (their keys are names of metrics, classes, parameters) and which
 * hold what belongs to the caller; at run time their names say it. `test/meta/snake.test.ts` proves that this table and the
 * types of all public results agree.
 */

/**
 * How the value of a field is spelled: `fields`, all its names; `record`, its values alone; `caller`, not at all.
 */
export type Kind = 'fields' | 'record' | 'caller';

/** Fields and methods whose keys come from the caller or are names of metrics: keys stay, what stands under them is spelled. */
const RECORDS = [
  'acknowledged',
  'apparentScores',
  'averages',
  'baseline',
  'bootstrapEstimates',
  'bufferConfig',
  'byParameter',
  'ciMethod',
  'coefficients',
  'confidenceIntervals',
  'counts',
  'distributions',
  'engine',
  'environment',
  'epochs',
  'estimates',
  'excluded',
  'hierarchy',
  'intervals',
  'logs',
  'meanScores',
  'parts',
  'perLevel',
  'proportions',
  'reasons',
  'repeatedIds',
  'scores',
  'siteEffects',
  'stdScores',
  'studies',
  'testProportions',
  'trainProportions',
  'trainScores',
] as const;

/** Fields and methods that give what is the caller's own, or of an interface that callers write: models, adapters, parameters. */
const CALLERS = [
  'X',
  'adapter',
  'adapterOptions',
  'bestParams',
  'cause',
  'choices',
  'entries',
  'evidence',
  'facts',
  'metric',
  'model',
  'models',
  'mostFrequent',
  'network',
  'params',
  'preparation',
  'preprocessing',
  'pruner',
  'runs',
  'sampler',
  'suggest',
  'suggestCategorical',
  'toArrays',
  'toColumns',
  'toJSON',
  'userAttrs',
  'values',
] as const;

/** Two things of one name: fields that are something else beside one of these. */
export const OTHERWISE: Readonly<Record<string, { readonly beside: readonly string[]; readonly kind: Kind }>> = {
  // The counts of a confusion matrix; elsewhere those of classes.
  counts: { beside: ['sensitivity'], kind: 'fields' },
  // Hashes by the name of a part of the data; elsewhere the data.
  data: { beside: ['reasons', 'recalibration'], kind: 'record' },
  // What predicting needs to know of y; elsewhere the facts of a splitter.
  facts: { beside: ['ownLabels'], kind: 'fields' },
  // What the manifest records of registered metrics and of options; elsewhere those of a class.
  metrics: { beside: ['outcome'], kind: 'caller' },
  options: { beside: ['outcome'], kind: 'caller' },
  // The results of an error of a fold; elsewhere those of a result.
  results: { beside: ['foldId'], kind: 'caller' },
  // The net benefit of a model, and what a callback may do with one; elsewhere the model.
  model: { beside: ['treatAll', 'epoch'], kind: 'fields' },
  // What prepared the rows, as facts; elsewhere the transformer.
  preprocessing: { beside: ['randomState'], kind: 'fields' },
};

export const FIELD_KINDS: ReadonlyMap<string, Kind> = new Map<string, Kind>([
  ...RECORDS.map((name): [string, Kind] => [name, 'record']),
  ...CALLERS.map((name): [string, Kind] => [name, 'caller']),
]);

/** How the field `name` of `owner` is spelled. */
export function kindOfField(name: string, owner?: object): Kind {
  const other = Object.hasOwn(OTHERWISE, name) ? OTHERWISE[name] : undefined;
  if (other && owner && other.beside.some((each) => each in owner)) return other.kind;
  return FIELD_KINDS.get(name) ?? 'fields';
}
