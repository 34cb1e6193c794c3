import { InvalidDataError, phrase, sentence } from '../core/errors.js';
import { deriveSeed, type RandomSource, randomSource } from '../core/random.js';
import { eventLabels } from '../data/eventLabels.js';
import type { Label, Labels } from '../data/labels.js';
import { pseudonyms } from '../data/pseudonyms.js';
import { type Rows, type RowsInput, rowsOf } from '../data/rows.js';
import { checkLength, isId, type SideData } from '../data/sideData.js';
import type { PreprocessingFacts } from '../runner/runMetadata.js';
import type { FoldPlan } from '../splitters/foldsOf.js';
import type { SplitterClaims } from '../splitters/splitter.js';
import type { Design } from './checkOptions.js';
import { checkShape, type Declared, featureThresholdOption, NOTHING_DECLARED, seedOption } from './checkOptions.js';
import type { Features } from './features/columns.js';
import { readFeatures } from './features/features.js';
import { patientLevelOf } from './features/nameWords.js';

/** What the caller of the checks knows. What is not declared is not so. */
export interface CheckParts extends Partial<Declared> {
  readonly folds: FoldPlan;
  /** Left out where predictions alone are known. */
  readonly X?: Rows | undefined;
  readonly y?: Labels | undefined;
  readonly data: SideData;
  /** Columns of ids that a reader of the data left out and that repeat, with the number of different ids. */
  readonly repeatedIds?: Readonly<Record<string, number>> | undefined;
  /** Weight of each row: checks are run without the rows of weight 0. */
  readonly weight?: ArrayLike<number> | null | undefined;
  /** Names of what the predictions are scored by, where that is known. */
  readonly scores?: readonly string[] | undefined;
  /** What the run that is checked fits in each fold to prepare its rows; null or left out where nothing does. */
  readonly preprocessing?: PreprocessingFacts | null;
  /** Left out: what the splitter claims. */
  readonly design?: Design | undefined;
  /** Number of training rows when two given sets stand one after the other in `X`; rows are then named by their set. */
  readonly trainRows?: number | undefined;
  /** Of the two sets, the one whose patients are not known. */
  readonly unnamed?: 'train' | 'test' | undefined;
  /** The two sets are declared to be drawn alike: shift between them is a failure. */
  readonly drawnAlike?: boolean;
  /** Seed of permutations. What is left out here and below is what the options say. */
  readonly randomState?: number | string;
  /** Print ids as they are. */
  readonly revealIds?: boolean;
  /** How ids are printed else; left out, by pseudonyms of their own. */
  readonly nameOf?: (id: Label) => string;
  readonly featureThreshold?: number;
  /** Distance in the unit of the coordinates below which neighbours count as near; left out, the fitted range. */
  readonly spatialThreshold?: number | undefined;
  /** Vectors of the rows by a model of the caller's, in place of the raw features, for near-duplicates. */
  readonly embeddings?: Rows | undefined;
}

/** What a check sees: the scene, and what is made of it once for all checks. */
export interface CheckInput extends Omit<CheckParts, keyof Declared>, Declared {
  /** Of outcomes by time: what happened. */
  readonly y: Labels | undefined;
  /** The times of such outcomes. */
  readonly followUp?: Float64Array;
  /** Its groups are the patients, also where a level of the hierarchy alone names them. */
  readonly data: SideData;
  readonly design: Design;
  /** The caller named the design; else it is what the splitter claims. */
  readonly declared: boolean;
  readonly featureThreshold: number;
  /** The features, read once. */
  features(): Promise<Features>;
  /** A stream for one check: the same seed gives the same result, whatever other checks draw. */
  random(check: string): RandomSource;
  /** How an id is printed: see {@link pseudonyms}. */
  readonly nameOf: (id: Label) => string;
  /** The number of a row as the caller knows it: within its own set when two sets were given. */
  rowOf(row: number): number;
}

const DEFAULTS = {
  randomState: seedOption.defaultValue as number,
  featureThreshold: featureThresholdOption.defaultValue as number,
  revealIds: checkShape.revealIds.defaultValue as boolean,
};

/** The input of checks, from what the caller knows. Nothing is read before a check asks. */
export function checkInput(scene: CheckParts): CheckInput {
  const { folds, X, y, design, trainRows = 0, randomState = DEFAULTS.randomState } = scene;
  const { revealIds = DEFAULTS.revealIds, featureThreshold = DEFAULTS.featureThreshold } = scene;
  const { nameOf = pseudonyms() } = scene;
  let features: Promise<Features> | undefined;
  return {
    ...NOTHING_DECLARED,
    ...scene,
    y: y && eventLabels(y),
    ...(y?.task === 'survival' ? { followUp: y.numbers } : {}),
    data: withPatients(scene.data),
    design: design ?? designOf(folds.claims),
    declared: design !== undefined,
    featureThreshold,
    features: () => (features ??= readFeatures(rowsOrNone(X))),
    random: (check) => randomSource(deriveSeed(randomState, check)),
    nameOf: revealIds ? String : nameOf,
    rowOf: (row) => (row < trainRows ? row : row - trainRows),
  };
}

function rowsOrNone(X: Rows | undefined): Rows {
  if (X) return X;
  throw new InvalidDataError(sentence('A check that reads rows', 'name `X` in its needs', phrase('no rows')));
}

/** With the patients that the hierarchy alone names (`subject_id`) as groups, where each row has one. */
function withPatients(data: SideData): SideData {
  const { groups, hierarchy = {} } = data;
  const level = patientLevelOf(hierarchy);
  if (groups || level === undefined || !Array.from(hierarchy[level]).every(isId)) return data;
  return { ...data, groups: hierarchy[level] as ArrayLike<Label> };
}

const designOf = ({ timeOrdered }: SplitterClaims = {}): Design => (timeOrdered ? 'prospective' : 'iid');

export function embeddingsOf(embeddings: RowsInput | undefined, n: number): Rows | undefined {
  if (embeddings === undefined) return undefined;
  const vectors = rowsOf(embeddings, 'embeddings');
  checkLength(vectors, n, 'embeddings');
  return vectors;
}
