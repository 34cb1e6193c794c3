/** A step of a preparation, whoever wrote it. */
import { AdapterError, InvalidOptionError, phrase, sentence, show, threw } from '../core/errors.js';
import { nameText } from '../core/foreignText.js';
import { copyInstance } from '../data/copyInstance.js';
import { ownNumbers } from '../data/dense.js';
import type { Labels } from '../data/labels.js';
import { type Rows, rowsOf } from '../data/rows.js';
import { checkRowwise } from './checkRowwise.js';
import { Stage } from './stage.js';
import { Transformer } from './transformer.js';
import { whenRead } from './whenRead.js';

/** A transformer of the caller. */
export interface ForeignTransformer {
  /** Weights of the rows are given to a `fit` with three parameters, where the run has some. */
  // biome-ignore lint/suspicious/noExplicitAny: rows as arrays, labels as written
  fit(X: any[], y?: any[], sampleWeight?: any): unknown;
  // biome-ignore lint/suspicious/noExplicitAny: rows as arrays
  transform(X: any[]): unknown;
  /** True for one that makes cells missing on purpose, such as a code for "not known". */
  readonly makesMissing?: boolean;
  /** Takes other options, by name; called on a copy. */
  // biome-ignore lint/suspicious/noExplicitAny: options of the caller
  setParams?(params: any): unknown;
}

export type AnyTransformer = Transformer | ForeignTransformer;

/** True for an object with `fit` and `transform`. */
export const isTransformer = (value: unknown): value is AnyTransformer =>
  typeof (value as ForeignTransformer | null)?.fit === 'function' &&
  typeof (value as ForeignTransformer).transform === 'function';

/** Whether a step learns from rows; one of the caller may, if its `fit` names what it is given. */
export const learnsOf = (step: AnyTransformer): boolean =>
  step instanceof Transformer ? step.learns : step.fit.length > 0;

/** A copy that is not fitted. */
export const copyOf = async (step: AnyTransformer): Promise<AnyTransformer> =>
  step instanceof Transformer
    ? (step.copy?.(copyOf) ?? step.clone())
    : copyInstance(step, { noun: 'transformer', is: isTransformer });

/** A copy that is not fitted, at once: steps of the caller need a `clone` for it. `subject`: what it is, for messages. */
export function cloneOf(step: AnyTransformer, subject: string): AnyTransformer {
  if (step instanceof Transformer) return step.clone();
  const copy = (step as { clone?(): AnyTransformer }).clone?.();
  if (copy && copy !== step && isTransformer(copy)) return copy;
  throw new InvalidOptionError(sentence(subject, 'have a `clone` that gives another one', phrase(nameOf(step))), {
    code: 'instance_refused',
  });
}

export const nameOf = (step: AnyTransformer): string => {
  if (step instanceof Transformer) return step.name;
  const name = step.constructor?.name;
  return name && name !== 'Object' ? name : 'a transformer of the caller';
};

export const describedAs = (step: AnyTransformer): string =>
  step instanceof Transformer ? step.describe() : nameOf(step);

/** Fits a step to the rows of a stage. `weight`: of each row; a step that has no use for it does without. */
async function fitStep(
  step: AnyTransformer,
  stage: Stage,
  y: Labels | undefined,
  weight: Float64Array | undefined,
): Promise<void> {
  if (step instanceof Transformer) {
    return step.transformRows ? undefined : step.fitTable(await stage.table(), y, weight);
  }
  const X = await stage.rows().toArrays();
  try {
    await step.fit(X, y?.toArray(), ...(weight && step.fit.length >= 3 ? [Array.from(weight)] : []));
  } catch (error) {
    threw(`The fit of ${nameText(nameOf(step))}`, 'take the rows', 'fit_failed')(error);
  }
}

/**
 * The stage after a fitted step. Throws {@link AdapterError} where it has other rows. `isReading`: the rows are those of one
 * reading, which is not put off once more.
 */
export async function transformStep(step: AnyTransformer, stage: Stage, isReading = false): Promise<Stage> {
  return sameRows(step, stage, await stageAfter(step, stage, isReading));
}

/** Fits a step to the rows of a stage, and gives the stage after it. */
export async function fitTransformStep(
  step: AnyTransformer,
  stage: Stage,
  y: Labels | undefined,
  weight: Float64Array | undefined,
): Promise<Stage> {
  if (step instanceof Transformer && !step.transformRows) {
    return sameRows(step, stage, new Stage({ table: await step.fitTransformTable(await stage.table(), y, weight) }));
  }
  await fitStep(step, stage, y, weight);
  const after = await transformStep(step, stage);
  if (!(step instanceof Transformer) || step.isRowwise) {
    await checkRowwise(nameText(describedAs(step)), stage, after, (rows) => transformStep(step, rows));
  }
  return after;
}

function sameRows(step: AnyTransformer, stage: Stage, after: Stage): Stage {
  if (after.length === stage.length) return after;
  throw new AdapterError(
    sentence(
      `The transform of ${nameText(nameOf(step))}`,
      `give the ${stage.length} rows that it got`,
      phrase(String(after.length)),
      'Leave rows out before the run, so that labels and groups go with them.',
    ),
    { code: 'rows_changed' },
  );
}

async function stageAfter(step: AnyTransformer, stage: Stage, isReading: boolean): Promise<Stage> {
  if (!(step instanceof Transformer)) return transformForeign(step, stage);
  if (step.transformRows) {
    const X = stage.rows();
    const prepare = (rows: Rows) => (step as Required<Transformer>).transformRows(rows);
    if (isReading || !step.isRowwise || X.kind !== 'source') return new Stage({ rows: await prepare(X) });
    return new Stage({ rows: whenRead(X, await prepare(X.take(Int32Array.of(0))), prepare) });
  }
  return new Stage({ table: await step.transformTable(await stage.table()) });
}

async function transformForeign(step: ForeignTransformer, stage: Stage): Promise<Stage> {
  const X = await stage.rows().toArrays();
  const name = nameText(nameOf(step));
  const given = await (async () => step.transform(X))().catch(
    threw(`The transform of ${name}`, 'take the rows', 'transform_failed'),
  );
  return new Stage({ rows: rowsOf(await ownNumbers(given), `X after ${name}`) });
}

/** The stage after several fitted steps; see {@link transformStep}. */
export async function transformSteps(
  steps: readonly AnyTransformer[],
  stage: Stage,
  isReading = false,
): Promise<Stage> {
  let at = stage;
  for (const step of steps) at = await transformStep(step, at, isReading);
  return at;
}

/** The JSON of a step. Throws {@link InvalidOptionError} for a step of the caller. */
export function stepToJSON(step: AnyTransformer): unknown {
  if (step instanceof Transformer) return step.toJSON();
  const must = 'be of cvkit/preprocessing, so that its state is known';
  throw new InvalidOptionError(sentence('A step to be written as JSON', must, phrase(show(step))), {
    code: 'not_plain',
  });
}
