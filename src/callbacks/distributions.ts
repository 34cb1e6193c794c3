import { foldCounts } from '../checkers/CVB001-class-balance/foldShares.js';
import { CVKitError, show } from '../core/errors.js';
import { nameText } from '../core/foreignText.js';
import { counted, formatNumber, points, wholeNumber } from '../core/format.js';
import { mean, unbiasedVariance } from '../core/numbers.js';
import { type ClassCounts, classCounts } from '../data/classCounts.js';
import { gather, type Labels, printable } from '../data/labels.js';
import { numberPerRow } from '../data/targets.js';
import type { RunContext } from '../runner/callback.js';
import type { CheckedFold } from '../splitters/foldsOf.js';

/** One side of a fold: rows by class (label), or the mean and standard deviation of numbers. */
export type SideDistribution =
  | {
      readonly rows: number;
      readonly counts: Readonly<Record<string, number>>;
      /** Null for a side without rows. */
      readonly proportions: Readonly<Record<string, number | null>>;
    }
  /** Of masks: of the share of each mask that is marked. */
  | { readonly rows: number; readonly mean: number | null; readonly sd: number | null };

/** The sides of a fold. */
export interface FoldDistribution {
  readonly fold: string;
  /** Rows that the model is trained on, before any resampling. */
  readonly train: SideDistribution;
  /** Rows that training watches, where it does. */
  readonly validation?: SideDistribution;
  readonly test: SideDistribution;
}

type Side = Exclude<keyof FoldDistribution, 'fold'>;

const MOST = { lines: 20, classes: 6, folds: 5 };

export function distributionsOf(run: RunContext): readonly FoldDistribution[] {
  const counts = classCounts(run.y);
  return Object.freeze(counts ? ofClasses(run, counts) : ofNumbers(run));
}

/** The rows that a fold watches; none of a fold that cannot be cut, which fails and says why. */
function watchedIn({ watchedRows }: RunContext, fold: () => CheckedFold): Int32Array {
  try {
    return watchedRows?.(fold()) ?? new Int32Array(0);
  } catch (error) {
    if (error instanceof CVKitError) return new Int32Array(0);
    throw error;
  }
}

function ofClasses(run: RunContext, counts: ClassCounts): FoldDistribution[] {
  const names = printable(counts.classes).map(String);
  const side = (rows: number, found: Float64Array): SideDistribution => ({
    rows,
    counts: Object.fromEntries(names.map((name, at) => [name, found[at]])),
    proportions: Object.fromEntries(names.map((name, at) => [name, rows > 0 ? found[at] / rows : null])),
  });
  return Array.from(foldCounts(run.folds, counts), ({ fold, nTrain, nTest, trained, tested }, at) => {
    const watched = watchedIn(run, () => run.folds.at(at));
    const inWatched = counts.of(watched);
    const fitted = trained.map((rows, at) => rows - inWatched[at]);
    return {
      fold,
      train: side(nTrain - watched.length, fitted),
      ...(watched.length > 0 ? { validation: side(watched.length, inWatched) } : {}),
      test: side(nTest, tested),
    };
  });
}

function ofNumbers(run: RunContext): FoldDistribution[] {
  const values = numberPerRow(run.y);
  const side = (rows: Int32Array): SideDistribution => {
    const numbers = gather(values, rows);
    const sd = rows.length > 1 ? Math.sqrt(unbiasedVariance(numbers)) : null;
    return { rows: rows.length, mean: rows.length > 0 ? mean(numbers) : null, sd };
  };
  return Array.from(run.folds, (fold) => {
    const watched = watchedIn(run, () => fold);
    const excluded = new Set(watched);
    return {
      fold: fold.id,
      train: side(fold.train.filter((row) => !excluded.has(row))),
      ...(watched.length > 0 ? { validation: side(watched) } : {}),
      test: side(fold.test),
    };
  });
}

const SIDES: readonly Side[] = ['train', 'validation', 'test'];
const WORDS: Readonly<Record<Side, string>> = { train: 'training', validation: 'validation', test: 'test' };

/** A sentence for each class and side that lacks it. */
export function lackingClasses(folds: readonly FoldDistribution[], { task, classes }: Labels): string[] {
  const noun = task === 'multilabel' ? 'Label' : 'Class';
  const lacking = new Map<string, string[]>();
  for (const fold of folds) {
    for (const side of SIDES) {
      const found = fold[side];
      if (!found || !('counts' in found)) continue;
      const entries = Object.entries(found.counts);
      // So small a side cannot have them all.
      if (found.rows < entries.length) continue;
      for (const [name, rows] of entries) {
        if (rows > 0) continue;
        const text = `${noun} ${classes.includes(name) ? show(name) : nameText(name)} is in no ${WORDS[side]} row`;
        lacking.set(text, [...(lacking.get(text) ?? []), fold.fold]);
      }
    }
  }
  return Array.from(lacking, ([text, ids]) => {
    const more = ids.length > MOST.folds ? ', ...' : '';
    const named = ids.slice(0, MOST.folds).map((id) => nameText(id));
    return `${text} of ${wholeNumber(ids.length)} of ${counted(folds.length, 'fold')} (${named.join(', ')}${more}).`;
  });
}

export function distributionLines(folds: readonly FoldDistribution[]): string[] {
  const lines = folds.slice(0, MOST.lines).map((fold) => {
    const sides = SIDES.flatMap((side) => {
      const found = fold[side];
      return found ? [`${WORDS[side]} ${counted(found.rows, 'row')}: ${sideText(found)}`] : [];
    });
    return `${fold.fold}  ${sides.join('; ')}`;
  });
  const more = folds.length - lines.length;
  return more > 0 ? [...lines, `and ${counted(more, 'more fold')}`] : lines;
}

function sideText(side: SideDistribution): string {
  if (!('counts' in side)) return `mean ${formatNumber(side.mean)}, sd ${formatNumber(side.sd)}`;
  const entries = Object.entries(side.counts);
  const shown = entries.slice(0, MOST.classes).map(([name, rows]) => {
    const share = side.proportions[name];
    return `${nameText(name)} ${wholeNumber(rows)}${share === null ? '' : ` (${points(share)} %)`}`;
  });
  return `${shown.join(', ')}${entries.length > shown.length ? ` and ${entries.length - shown.length} more` : ''}`;
}
