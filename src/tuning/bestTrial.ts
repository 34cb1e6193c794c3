import type { FrozenTrial } from '../core/tuningTrial.js';
import type { StudyView } from './sampler.js';

type Direction = StudyView['direction'];

export const isBetter = (direction: Direction, value: number, than: number): boolean =>
  direction === 'minimize' ? value < than : value > than;

export function bestOf(trials: Iterable<FrozenTrial>, direction: Direction): FrozenTrial | undefined {
  let best: FrozenTrial | undefined;
  for (const trial of trials) {
    if (trial.state !== 'complete' || trial.value === null) continue;
    const before = best?.value ?? null;
    if (before === null || isBetter(direction, trial.value, before)) best = trial;
    else if (trial.value === before && trial.number < (best as FrozenTrial).number) best = trial;
  }
  return best;
}
