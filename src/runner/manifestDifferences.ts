/** What differs between two manifests, in the order in which differences explain each other. */

type Value = null | boolean | number | string;

/** One thing that a manifest holds and a run of today does not, or the other way round. */
export interface Difference {
  /** Where it stands: `sha256.data.X`, `options.run.lossFn.sha256`, `outcome.fold-1.scores.accuracy`. */
  readonly where: string;
  /** `data`, what was given; `option`, an option or the model; `result`, folds, predictions, scores, intervals; `version`, of cvkit, Node, an engine. */
  readonly kind: 'data' | 'option' | 'result' | 'version';
  readonly manifest: Value;
  readonly now: Value;
}

/** The parts of a manifest that are compared, in the order in which they explain each other. */
const PARTS: Readonly<Record<string, Difference['kind']>> = {
  'sha256.data': 'data',
  options: 'option',
  metrics: 'option',
  network: 'option',
  'sha256.folds': 'result',
  outcome: 'result',
  intervals: 'result',
  cvkit: 'version',
  runtime: 'version',
  engine: 'version',
};

export function compared(then: object, now: object): Difference[] {
  const [before, after] = [new Map(flat(then)), new Map(flat(now))];
  return Object.entries(PARTS).flatMap(([part, kind]) =>
    [...new Set([...before.keys(), ...after.keys()])]
      .filter((at) => (at === part || at.startsWith(`${part}.`)) && !at.endsWith('Reason'))
      .map((where) => ({ where, kind, manifest: before.get(where) ?? null, now: after.get(where) ?? null }))
      .filter((each) => each.manifest !== each.now),
  );
}

function flat(value: unknown, at = ''): [string, Value][] {
  if (typeof value !== 'object' || value === null) return [[at, (value ?? null) as Value]];
  // Of a function its text counts: what it is called may follow from where it stands.
  const isFunction = 'function' in value && 'sha256' in value;
  return Object.entries(value).flatMap(([key, each]) => {
    if (isFunction && key === 'function') return [];
    const name = at === 'outcome' ? String(each?.fold) : key;
    return flat(each, at === '' ? name : `${at}.${name}`);
  });
}
