import { describe, expect, it } from 'vitest';
import { losesAtRung } from '../../../src/tuning/pruners/hyperbandPruner.js';
import { completeTrials, replayed, trialOf } from '../../helpers/pruning.js';
import reference from '../../reference/pruners.json' with { type: 'json' };

const rungs = { first: 1, reductionFactor: 3, end: Infinity };

describe('losesAtRung', () => {
  it.each(reference.successiveHalving.map((study, at) => [at, study] as const))(
    'decides as SuccessiveHalvingPruner of Optuna 5.0.0 after each report, study %i',
    (_, study) => {
      const { decisions, expected } = replayed(
        ({ trials, direction }, trial) =>
          losesAtRung(trial, trials.slice(0, -1), { ...study.options, end: Infinity }, direction),
        study,
      );
      expect(decisions).toEqual(expected);
    },
  );

  it('judges at rungs alone, once at each, and not from the end on', () => {
    const others = completeTrials(new Array(9).fill(0));
    const decisions = (end: number) =>
      Array.from({ length: 9 }, (_, at) => {
        const reports = Array.from({ length: at + 1 }, (_, step) => [step + 1, 1] as const);
        return losesAtRung(trialOf(1, reports), others, { ...rungs, end }, 'minimize');
      });
    const [yes, no] = [true, false];
    expect(decisions(10)).toEqual([yes, no, yes, no, no, no, no, no, yes]);
    expect(decisions(9)).toEqual([yes, no, yes, no, no, no, no, no, no]);
    expect(decisions(1)).toEqual(new Array(9).fill(no));
  });

  it('judges at each rung that a report has passed, with the same value', () => {
    const late = trialOf(3, [[9, 2]]);
    const judged = (...others: Readonly<Record<number, number>>[]) => {
      const trials = others.map((reports, number) => {
        const steps = Object.entries(reports).map(([step, value]) => [Number(step), value] as const);
        return trialOf(number, steps, { state: 'pruned' });
      });
      return losesAtRung(late, trials, rungs, 'minimize');
    };
    expect(judged({ 1: 3 }, { 1: 4 }, { 1: 5 })).toBe(false);
    expect(judged({ 1: 1 })).toBe(true);
    // The first rung lets it pass, the third does not.
    expect(judged({ 1: 3, 9: 1 })).toBe(true);
    expect(judged({ 1: 3, 8: 1 })).toBe(true);
    expect(judged({ 1: 3, 2: 1 })).toBe(false);
  });

  it('ends a trial with NaN at a rung, and does not count it there', () => {
    expect(losesAtRung(trialOf(1, [[1, null]]), [], rungs, 'maximize')).toBe(true);
    const nan = [trialOf(0, [[1, null]], { state: 'pruned' })];
    expect(losesAtRung(trialOf(1, [[1, -5]]), nan, rungs, 'maximize')).toBe(false);
  });
});
