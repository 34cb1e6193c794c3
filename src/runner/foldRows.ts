/** What the fold loop needs to know of a fold and its rows before a model sees them. */
import { InvalidDataError, phrase, sentence } from '../core/errors.js';
import { frozenCopy } from '../core/frozenCopy.js';
import { deriveSeed } from '../core/random.js';
import { classText, gather, type Labels } from '../data/labels.js';
import type { Rows } from '../data/rows.js';
import { type SideData, takeSideData, unitsOf } from '../data/sideData.js';
import type { CheckedFold } from '../splitters/foldsOf.js';
import type { FoldServices } from './executor.js';
import type { Batch, FoldContext, LabelFacts, ModelPlace } from './frameworkAdapter.js';
import { type SavedFacts, type SaveOptions, saveModel } from './modelFolder.js';

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
    inputShape: X.rowShape,
    classes: y.classes,
    task: y.task,
    params: paramsOf?.(fold.id) ?? {},
  });
}

export type ParamsOf = (fold: string) => Readonly<Record<string, unknown>>;

interface ContextFacts {
  readonly X: Pick<Rows, 'rowShape'>;
  readonly y: Labels;
  readonly randomState: number | string;
  readonly plan: { readonly length: number };
  readonly paramsOf?: ParamsOf;
}

export const factsOf = ({ y, auxiliary }: Pick<FoldServices, 'y' | 'auxiliary'>): LabelFacts => ({
  task: y.task,
  classes: y.classes,
  positive: y.positive,
  shape: y.shape,
  ...(auxiliary ? { auxiliary: Object.keys(auxiliary) } : {}),
});

export const savedFacts = (
  services: Pick<FoldServices, 'y' | 'auxiliary' | 'positive' | 'saving'>,
  own: Pick<SavedFacts, 'fold' | 'adjustment' | 'note'>,
): SavedFacts => {
  const { overwrite: _, ...run } = services.saving;
  return { ...run, ...own, facts: factsOf(services), positive: services.positive };
};

export const saveFold = (
  services: FoldServices,
  model: unknown,
  where: ModelPlace,
  own: Pick<SavedFacts, 'fold' | 'adjustment'> & { readonly note?: string },
  options: SaveOptions,
): Promise<void> => {
  const note = `The model of ${own.fold}, trained on the training rows of that fold.`;
  return saveModel(services.adapter, model, where, savedFacts(services, { note, ...own }), options);
};

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

interface Labelled extends Pick<FoldServices, 'y'> {
  readonly auxiliary?: FoldServices['auxiliary'];
  readonly weight?: FoldServices['weight'];
}

/** Labels, further targets and weights of some rows. */
export function labelsOfRows({ y, auxiliary, weight }: Labelled, rows: Int32Array): Omit<Batch, 'X' | 'indices'> {
  const taken = auxiliary && Object.entries(auxiliary).map(([output, labels]) => [output, labels.take(rows)]);
  return {
    y: y.take(rows),
    ...(taken ? { auxiliary: Object.fromEntries(taken) } : {}),
    ...(weight ? { sampleWeight: gather(weight, rows) } : {}),
  };
}

/** Refuses training rows of one class or without weight: a model cannot learn from them, yet its score would look real. */
export function checkLearnable({ y, weight }: Pick<FoldServices, 'y' | 'weight'>, train: Int32Array): void {
  const only = y.codes[train[0]];
  if (y.codes.length > 0 && train.every((row) => y.codes[row] === only)) {
    const got = phrase(`only ${classText(y.classes, only)} in all ${train.length}`);
    throw new InvalidDataError(sentence('The training rows', 'hold at least two classes', got), { code: 'one_class' });
  }
  if (weight && !train.some((row) => weight[row] > 0)) {
    throw new InvalidDataError(sentence('The training rows', 'hold a weight above 0', phrase('only zeros')));
  }
}

/** Units among some rows: patients (or what else counts as independent), else distinct rows. Rows of weight 0 count none. */
export function countUnits({ data, y, weight }: Pick<FoldServices, 'data' | 'y' | 'weight'>, rows: Int32Array): number {
  const { codes } = unitsOf(data, y.length, weight);
  const counted = weight ? rows.filter((row) => weight[row] > 0) : rows;
  return new Set(codes ? gather(codes, counted) : counted).size;
}
