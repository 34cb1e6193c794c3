/** What the fold loop needs to know of a fold and its rows before a model sees them. */
import { InvalidDataError, InvalidOptionError, phrase, sentence } from '../core/errors.js';
import { frozenCopy } from '../core/frozenCopy.js';
import { deriveSeed } from '../core/random.js';
import { tally } from '../data/encode.js';
import { classText, gather, type Labels, rowNumbers } from '../data/labels.js';
import { mapParts } from '../data/rowKinds.js';
import type { Rows } from '../data/rows.js';
import { type SideData, takeSideData, unitsOf } from '../data/sideData.js';
import { type CheckedFold, type FoldPlan, foldsOf, hasInner, innerFoldsOf } from '../splitters/foldsOf.js';
import { HoldOut } from '../splitters/iid/holdOut.js';
import { type Splitter, seeded } from '../splitters/splitter.js';
import type { FoldServices } from './executor.js';
import type { Batch, FoldContext, LabelFacts, ModelPlace } from './frameworkAdapter.js';
import { type SavedFacts, type SaveOptions, saveModel } from './modelFolder.js';

/** How validation rows are cut from the training rows of each fold: a share or count, or a splitter. */
export type ValidationOption = number | { size: number } | { splitter: Splitter };

/** The read-only context of one fold; its seed depends on (randomState, repeat, fold) alone. */
export function foldContext(
  { X, y, randomState, plan, paramsOf }: ContextFacts,
  fold: Omit<CheckedFold, 'inner'>,
): FoldContext {
  return frozenCopy({
    fold: fold.id,
    index: fold.index,
    repeat: fold.repeat,
    nSplits: plan.length,
    nTrain: fold.train.length,
    nTest: fold.test.length,
    seed: deriveSeed(randomState, fold.repeat, fold.number),
    inputShape: inputShapeOf(X),
    classes: y.classes,
    task: y.task,
    params: paramsOf?.(fold.id) ?? {},
  });
}

export const inputShapeOf = ({ parts, rowShape }: Pick<Rows, 'rowShape' | 'parts'>): FoldContext['inputShape'] =>
  (parts ? mapParts(parts, (part) => part.rowShape) : rowShape) as FoldContext['inputShape'];

export type ParamsOf = (fold: string) => Readonly<Record<string, unknown>>;

interface ContextFacts {
  readonly X: Pick<Rows, 'rowShape' | 'parts'>;
  readonly y: Labels;
  readonly randomState: number | string;
  readonly plan: { readonly length: number };
  readonly paramsOf?: ParamsOf;
}

export const labelFacts = ({ y, auxiliary }: Pick<FoldServices, 'y' | 'auxiliary'>): LabelFacts => ({
  task: y.task,
  classes: y.classes,
  positive: y.positive,
  shape: y.shape,
  ...(auxiliary ? { auxiliary: Object.keys(auxiliary) } : {}),
});

export const savedFacts = (
  services: Pick<FoldServices, 'y' | 'auxiliary' | 'positive' | 'saving'>,
  own: Pick<SavedFacts, 'fold' | 'adjustment' | 'ownLabels' | 'note'>,
): SavedFacts => {
  const { overwrite: _, ...run } = services.saving;
  return { ...run, ...own, facts: labelFacts(services), positive: services.positive };
};

export const saveFold = (
  services: FoldServices,
  model: unknown,
  where: ModelPlace,
  own: Parameters<typeof savedFacts>[1],
  options: SaveOptions,
): Promise<void> => saveModel(services.adapter, model, where, savedFacts(services, own), options);

/** What is known of the model of a fold; with null, of all rows. */
export const ofFold = (
  fold: string | null,
  adjustment: SavedFacts['adjustment'],
  ownLabels: boolean,
  note = `The model of ${fold}, trained on the training rows of that fold.`,
) => ({ fold, adjustment, note, ...(ownLabels && !adjustment ? { ownLabels } : {}) });

/** A bootstrap draws a row several times: without groups its copies are one group, which no further cut parts. */
export function trainingSide(data: SideData, train: Int32Array): { side: SideData; copies: boolean } {
  const copies = train.some((row, at) => at > 0 && row === train[at - 1]); // training rows ascend
  return { side: { ...takeSideData(data, train), ...(copies && !data.groups ? { groups: train } : {}) }, copies };
}

export const batch = ({ X, ...labelled }: Pick<FoldServices, 'X'> & Labelled, indices: Int32Array): Batch => ({
  ...labelsOfRows(labelled, indices),
  X: X.take(indices),
  indices,
});

type Labelled = Pick<FoldServices, 'y'> & Partial<Pick<FoldServices, 'auxiliary' | 'weight'>>;

/** Labels, further targets and weights of some rows. */
export function labelsOfRows({ y, auxiliary, weight }: Labelled, rows: Int32Array): Omit<Batch, 'X' | 'indices'> {
  const taken = auxiliary && Object.entries(auxiliary).map(([output, labels]) => [output, labels.take(rows)]);
  return {
    y: y.take(rows),
    ...(taken ? { auxiliary: Object.fromEntries(taken) } : {}),
    ...(weight ? { sampleWeight: gather(weight, rows) } : {}),
  };
}

/**
 * Refuses training rows of one class, without an event, or without weight: a model cannot learn from them, yet its score would
 * look real.
 */
export function checkLearnable({ y, weight }: Pick<FoldServices, 'y' | 'weight'>, train: Int32Array): void {
  const only = y.codes[train[0]];
  if (y.task === 'survival') {
    if (!train.some((row) => y.codes[row] === y.positive)) {
      const got = phrase(`none in ${train.length} rows`);
      throw new InvalidDataError(sentence('The training rows', `hold an event ${y.positive}`, got), {
        code: 'no_event',
      });
    }
  } else if (y.codes.length > 0 && train.every((row) => y.codes[row] === only)) {
    const got = phrase(`only ${classText(y.classes, only)} in all ${train.length}`);
    throw new InvalidDataError(sentence('The training rows', 'hold at least two classes', got), { code: 'one_class' });
  }
  if (weight && !train.some((row) => weight[row] > 0)) {
    throw new InvalidDataError(sentence('The training rows', 'hold a weight above 0', phrase('only zeros')));
  }
}

/** Units among some rows: patients (or what else counts as independent), else distinct rows. Rows of weight 0 count none. */
export function unitsIn({ data, y, weight }: Pick<FoldServices, 'data' | 'y' | 'weight'>, rows: Int32Array): number {
  const { codes } = unitsOf(data, y.length, weight);
  const counted = weight ? rows.filter((row) => weight[row] > 0) : rows;
  return new Set(codes ? gather(codes, counted) : counted).size;
}

interface Watched {
  readonly train: Int32Array;
  readonly validation?: Int32Array;
}

/** Cut by the `validation` option; without it by the first inner fold of a nested design, where training goes in epochs. */
export function validationRows(
  option: ValidationOption | undefined,
  fold: CheckedFold,
  { y, data, seed, epochs }: { y: Labels; data: SideData; seed: number; epochs: boolean },
): Watched {
  const { train } = fold;
  if (option !== undefined) {
    const { side, copies } = trainingSide(data, train);
    const labels = y.take(train);
    const cut = foldsOf(splitterOf(option, labels, side, seed), train.length, labels, side).at(0);
    const watched = { train: gather(train, cut.train), validation: gather(train, cut.test) };
    checkWholeGroups(watched, WHO, data.groups);
    if (copies) checkWholeGroups(watched, WHO, rowNumbers(y.length), COPIES);
    return watched;
  }
  return hasInner(fold) && epochs ? firstInnerFold(fold, y.length, data.groups) : { train };
}

const WHO = 'The splitter of the `validation` option';
const COPIES = 'Use a share such as 0.2: the folds draw rows several times.';

/**
 * Refuses inner folds that must not be watched, before anything is trained: those that split groups, and those that a fold
 * run alone would not draw again, unless the outer folds are drawn afresh, too, as by the defaults of `NestedGroupedCV`.
 */
export function checkInnerFolds(
  splitter: Splitter,
  { plan, folds, data }: { plan: FoldPlan; folds: readonly number[]; data: SideData },
): void {
  const { nested } = splitter;
  if (nested && nested.outer.repeatable !== false) {
    repeatable(nested.inner, `The \`innerCv\` of ${plan.splitterName}, whose first fold is watched,`);
  }
  if (!hasInner(plan.at(folds[0]))) return;
  for (const index of folds) {
    const fold = plan.at(index);
    if (hasInner(fold)) firstInnerFold(fold, plan.n, data.groups);
  }
}

function firstInnerFold(
  fold: CheckedFold & { readonly inner: Splitter },
  n: number,
  groups: SideData['groups'],
): Required<Watched> {
  const { train, test } = innerFoldsOf(fold, n).at(0);
  const watched = { train, validation: test };
  const who = `The inner splitter of ${fold.id}, whose first fold is watched,`;
  checkWholeGroups(watched, who, groups, 'Use NestedGroupedCV.');
  return watched;
}

function splitterOf(option: ValidationOption, y: Labels, data: SideData, seed: number): Splitter {
  const randomState = deriveSeed(seed, 'validation');
  if (typeof option === 'object' && 'splitter' in option) return repeatable(seeded(option.splitter, randomState), WHO);
  const size = { testSize: typeof option === 'number' ? option : option.size, randomState };
  if (y.task !== 'binary' && y.task !== 'multiclass') return new HoldOut(size);
  return new HoldOut({ ...size, stratify: data.groups ? strataOfGroups(y, data.groups) : true });
}

function strataOfGroups({ codes, classes }: Labels, groups: NonNullable<SideData['groups']>): Int32Array {
  const holders = classes.map(() => new Set<unknown>());
  codes.forEach((code, row) => {
    holders[code].add(groups[row]);
  });
  const counts = tally(codes, classes.length);
  const most = counts.indexOf(Math.max(...counts));
  return codes.map((code) => (holders[code].size < 2 ? most : code));
}

/** The rows to watch must be the same whether a fold runs alone or in a run, so each call must draw the same rows. */
function repeatable(splitter: Splitter, who: string): Splitter {
  if (splitter.repeatable !== false) return splitter;
  const must = 'draw the same rows at each call';
  throw new InvalidOptionError(sentence(who, must, phrase('one that draws others'), 'Give it an integer seed.'));
}

/** Early stopping on rows of a patient that the model trains on would not be honest. */
export function checkWholeGroups(
  { train, validation }: Required<Watched>,
  who: string,
  groups: SideData['groups'],
  instead = 'Use a share such as 0.2, or GroupKFold.',
): void {
  if (!groups) return;
  const trained = new Set(Array.from(train, (row) => groups[row]));
  if (!validation.some((row) => trained.has(groups[row]))) return;
  throw new InvalidOptionError(sentence(who, 'keep groups whole', phrase('a group on both sides'), instead));
}
