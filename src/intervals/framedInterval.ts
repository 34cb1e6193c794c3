import { combinedEstimate } from '../metrics/combineFolds.js';
import {
  commonObstacle,
  foldsThatCount,
  type Interval,
  type IntervalInput,
  intervalFacts,
  joinNotes,
} from './interval.js';
import { type UnitBlock, unitBlocks } from './unitBlocks.js';

export type Limits = Partial<Omit<Interval, keyof ReturnType<typeof intervalFacts> | 'estimand'>>;

interface Frame extends Pick<Interval, 'method' | 'estimand'> {
  readonly unfit?: string | undefined;
}

export interface Counted {
  readonly estimate: number;
  readonly nUnits: number;
  readonly repeats: readonly (readonly UnitBlock[])[];
}

export function framedInterval(
  input: IntervalInput,
  { method, estimand, unfit }: Frame,
  limits: (counted: Counted) => Limits,
): Interval {
  const counting = { ...input, folds: foldsThatCount(input.metric, input.folds) };
  const facts = { ...intervalFacts(counting), method, estimand };
  const all = unitBlocks(input);
  const combined = combinedEstimate(input.metric, all);
  const none = { ...facts, estimate: combined.value, lower: null, upper: null };
  if (combined.value === null) return { ...none, reason: combined.reason };
  const reason = unfit ?? commonObstacle(counting, facts.nUnits);
  if (reason !== undefined) return { ...none, reason, ...joinNotes(combined.note) };
  const repeats = counting.folds.length === input.folds.length ? all : unitBlocks(counting);
  const { note, ...found } = limits({ estimate: combined.value, nUnits: facts.nUnits, repeats });
  return { ...none, ...found, ...joinNotes(combined.note, note) };
}
