/** The file of one outcome: JSON with named columns, exact to the last bit, without X, y, ids, times and hosts. */
import { createHash } from 'node:crypto';
import { gather } from '../../data/labels.js';
import type { ScoreTable } from '../../metrics/scoreTable.js';
import { hasNumbers, truthTable } from '../../runner/checkPredictions.js';
import type { FoldServices, FoldTask } from '../../runner/executor.js';
import { foldLabels } from '../../runner/foldLabels.js';
import type { CompletedOutcome, FoldSeconds } from '../../runner/foldResult.js';
import type { HeldMemory } from '../../runner/frameworkAdapter.js';
import { exactJSON, fromExactJSON } from './exactJSON.js';

/** The part after the name counts: another one is another shape of the file. */
const OUTCOME_FORMAT = 'cvkit-outcome-1';

/** What an attempt took: it differs from one attempt to the next, and stands in the log alone. */
export interface Attempt {
  readonly seconds: number;
  readonly secondsOf: FoldSeconds;
  readonly left: HeldMemory | null;
}

interface Columns {
  readonly row: ArrayLike<number>;
  readonly yPred: ArrayLike<number>;
  readonly yProba?: ArrayLike<number>;
}

type Tables = Partial<Record<'table' | 'trainTable' | 'raw' | 'probed', Columns>>;
export type OutcomeBody = Omit<CompletedOutcome, keyof Tables | keyof Attempt | 'ctx' | 'status'> & {
  readonly format: string;
  readonly key: string;
  readonly fold: string;
  readonly tables: Tables;
};

type Rows = Record<keyof Tables, Int32Array | undefined>;
const rowsOf = ({ test, train, probe }: FoldTask): Rows => ({
  ...{ table: test, trainTable: train, raw: test, probed: probe },
});

const sha256Hex = (...parts: readonly (string | Uint8Array)[]): string => {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest('hex');
};

/** The text begins with the hash of what follows, so that a file without a line in the log can be told from a damaged one. */
export function outcomeText(key: string, task: FoldTask, outcome: CompletedOutcome): { text: string; sha256: string } {
  const { ctx, status: _status, seconds: _seconds, secondsOf: _parts, left: _left, ...rest } = outcome;
  const tables: Record<string, Columns> = {};
  const plain: Record<string, unknown> = {};
  const rows = rowsOf(task);
  for (const [name, value] of Object.entries(rest)) {
    if (!(name in rows)) plain[name] = value;
    else if (value) {
      const { yPred, yProba } = value as ScoreTable;
      tables[name] = { row: rows[name as keyof Tables] as Int32Array, yPred, ...(yProba ? { yProba } : {}) };
    }
  }
  const body = exactJSON({ format: OUTCOME_FORMAT, key, fold: ctx.fold, ...plain, tables });
  const sha256 = sha256Hex(body);
  return { text: `${HEAD}${sha256}${MIDDLE}${body}${TAIL}`, sha256 };
}

const HEAD = '{"sha256":"';
const MIDDLE = '","outcome":';
const TAIL = '}\n';

/** The body of a file and its hash; undefined where it is not as it was written. */
export function outcomeBody(text: string): { body: OutcomeBody; sha256: string } | undefined {
  const sha256 = text.slice(HEAD.length, HEAD.length + 64);
  const body = text.slice(HEAD.length + 64 + MIDDLE.length, -TAIL.length);
  if (text !== `${HEAD}${sha256}${MIDDLE}${body}${TAIL}` || sha256Hex(body) !== sha256) return undefined;
  return { body: fromExactJSON(body) as OutcomeBody, sha256 };
}

export const outcomeFileName = (fold: string, key: string): string =>
  `${fold.slice(0, 80)}.${key.slice(0, 16)}.json`.replace(/[^\w.-]/g, '_');

type Truth = Pick<FoldServices, 'y' | 'positive' | 'weight'>;

/** The outcome again; the truth of its rows comes from the data of the run. */
export function outcomeFrom(
  body: OutcomeBody,
  task: FoldTask,
  attempt: Attempt,
  { y, positive, weight }: Truth,
): CompletedOutcome {
  const { format: _format, key: _key, fold: _fold, tables, ...rest } = body;
  const rows = rowsOf(task);
  const known = foldLabels(task, { y, positive, weight });
  const read = Object.entries(tables).map(([name, { yPred, yProba }]) => {
    const of = rows[name as keyof Tables] as Int32Array;
    const truth = truthTable(known.take(of), positive, weight && gather(weight, of));
    const coded = hasNumbers(truth.task) ? Float64Array : truth.task === 'multilabel' ? Uint8Array : Int32Array;
    return [name, { ...truth, yPred: coded.from(yPred), ...(yProba ? { yProba: Float64Array.from(yProba) } : {}) }];
  });
  return { ...rest, ...attempt, ctx: task.ctx, status: 'completed', ...Object.fromEntries(read) } as CompletedOutcome;
}
