/** What the playground does with a table: cvkit's own calls, in a worker of the page. Runs in Node, too, where tests compare. */
import {
  BalanceChecker,
  CVKitValidator,
  DataLeakageChecker,
  EarlyStopping,
  recommendCv,
  type Splitter,
  type ValidationResult,
} from 'cvkit';
import { readTable, type TableData, type TableInfo } from 'cvkit/table';
import type { Reading } from './reading.js';

/** What only the reader knows; the checks take the reader's word for it. */
export interface Statements {
  /** Each row is a patient of its own, where no column says so. */
  readonly independentRows: boolean;
  /** Nothing was learnt from all rows before. */
  readonly preparedInside: boolean;
}

export interface TableView {
  readonly file: string;
  readonly rows: number;
  readonly columns: TableInfo['columns'];
  readonly notes: readonly string[];
  /** Classes of the outcome where it has two that are texts. */
  readonly classes: readonly string[];
  /** The outcome is no class: numbers that are not at most 20 different integers, as cvkit has it. */
  readonly isContinuous: boolean;
}

export interface Finding {
  readonly code: string;
  readonly type: string;
  readonly status: string;
  readonly message: string;
  readonly fix: string;
}

export interface Assessment {
  readonly design: string;
  readonly rationale: readonly string[];
  readonly warnings: readonly string[];
  readonly code: string;
  readonly balance: string;
  readonly verdict: { readonly status: string; readonly text: string };
  readonly findings: readonly Finding[];
}

export interface Training {
  readonly model: 'logistic' | 'network';
  readonly backend: 'auto' | 'wasm' | 'webgl' | 'webgpu';
  readonly epochs: number;
  readonly units: number;
}

/** What has happened since the last of these. */
export interface Progress {
  readonly foldsDone: number;
  readonly nFolds: number;
  /** An epoch that has ended, with the number of its fold among those that have begun. */
  readonly epoch?: { readonly fold: number; readonly logs: Readonly<Record<string, number>> };
}

export interface ScoreRow {
  readonly metric: string;
  readonly estimate: number | null;
  readonly lower: number | null;
  readonly upper: number | null;
  /** What a model that knows nothing of the features scores. */
  readonly baseline: number | null;
  /** What must be known of the interval, or why there is none. */
  readonly note: string | undefined;
}

export interface Outcome {
  readonly verdict: { readonly status: string; readonly text: string };
  readonly level: number;
  readonly scores: readonly ScoreRow[];
  readonly summary: string;
  readonly html: string;
  readonly json: string;
}

export class Study {
  #table: TableData | undefined;
  #splitter: Splitter | undefined;
  #statements: Partial<Statements> = {};

  /** Reads the file anew for each choice: ids are then texts, and the outcome is complete. What is refused changes nothing. */
  async open(file: File, reading: Reading = {}): Promise<TableView> {
    const { target, ...others } = reading;
    const table =
      target === undefined ? undefined : await readTable(file, { target, missingTarget: 'drop', ...others });
    const { rows, columns, notes } = (table ?? (await readTable(file, others))).info;
    this.#splitter = undefined;
    this.#statements = {};
    this.#table = table;
    return { file: file.name, rows, columns, notes, ...outcomeOf(table?.y ?? []) };
  }

  async assess({ independentRows, preparedInside }: Statements): Promise<Assessment> {
    const table = this.#data();
    // With ids of patients there is nothing to state.
    this.#statements = { preparedInside, ...(table.groups ? {} : { independentRows }) };
    const { X, y, repeatedIds } = table;
    const sides = sidesOf(table);
    const { method, splitter, rationale, warnings, code } = await recommendCv({ X, y, ...sides });
    this.#splitter = splitter;
    const known = { ...sides, ...this.#statements, ...(repeatedIds ? { repeatedIds } : {}) };
    const report = await new DataLeakageChecker().check(X, y, { ...known, cv: splitter });
    const { message } = await new BalanceChecker().checkCvBalance(X, y, splitter, sides);
    return {
      design: method,
      rationale,
      warnings,
      code,
      balance: message,
      verdict: report.verdict,
      findings: report.checks.map(({ code, type, status, notDetectable, message, fix }) => ({
        ...{ code, type, message, fix },
        // The verdict does not count these as open.
        status: notDetectable ? 'not_detectable' : status,
      })),
    };
  }

  async train(training: Training, onProgress: (progress: Progress) => void): Promise<Outcome> {
    const { model, backend, epochs, units } = training;
    const data = this.#data();
    if (!this.#splitter) throw new Error('A study is checked before it is trained.');
    let [foldsBegun, foldsDone, nFolds] = [0, 0, 0];
    const follow = {
      name: 'playground',
      readOnly: true,
      onCvStart(run: { nSplits: number }) {
        nFolds = run.nSplits;
        onProgress({ foldsDone, nFolds });
      },
      onFoldStart() {
        foldsBegun++;
      },
      onEpochEnd(_fold: unknown, logs: Record<string, number>) {
        onProgress({ foldsDone, nFolds, epoch: { fold: foldsBegun - 1, logs: { ...logs } } });
      },
      onFoldEnd() {
        foldsDone++;
        onProgress({ foldsDone, nFolds });
      },
    };
    // What only training needs is loaded when somebody trains.
    const [{ LogisticRegression }, { tabular }] = await Promise.all([
      import('cvkit/estimators'),
      import('cvkit/preprocessing'),
    ]);
    const { preparedInside, independentRows } = this.#statements;
    const shared = { ...data, preprocessing: tabular(), preparedInside, verbose: 0 } as const;
    const validator = new CVKitValidator({ cv: this.#splitter, independentRows });
    const result = await (model === 'logistic'
      ? validator.validate({ ...shared, model: () => new LogisticRegression(), callbacks: [follow] })
      : validator.validate({
          ...shared,
          model: await networkOf(units),
          epochs,
          validation: 0.2,
          callbacks: [new EarlyStopping({ patience: 5 }), follow],
          adapterOptions: { backend },
        }));
    return {
      verdict: result.verdict,
      level: result.ciLevel,
      scores: Object.entries(result.estimates).map(([metric, estimate]) => scoreRow(metric, estimate, result)),
      summary: result.summary(),
      html: await result.toHTML(),
      json: JSON.stringify(result.toJSON(), null, 1),
    };
  }

  #data(): TableData {
    if (!this.#table) throw new Error('A study needs a table with an outcome.');
    return this.#table;
  }
}

function outcomeOf(y: TableData['y'] | readonly never[]): Pick<TableView, 'classes' | 'isContinuous'> {
  const values = [...new Set<unknown>(y)];
  const classes = values.length === 2 && typeof values[0] === 'string' ? (values as string[]).sort() : [];
  const isNumber = y instanceof Float64Array;
  return { classes, isContinuous: isNumber && !(values.length <= 20 && values.every(Number.isInteger)) };
}

/** What stands beside the rows, where a column of the file holds it. */
const sidesOf = ({ groups, timestamps, hierarchy }: TableData) => ({
  ...(groups ? { groups } : {}),
  ...(timestamps ? { timestamps } : {}),
  ...(hierarchy ? { hierarchy } : {}),
});

function scoreRow(
  metric: string,
  estimate: number | null,
  { confidenceIntervals, baseline }: ValidationResult,
): ScoreRow {
  const interval = confidenceIntervals[metric];
  return {
    metric,
    estimate,
    lower: interval?.lower ?? null,
    upper: interval?.upper ?? null,
    baseline: baseline?.[metric]?.value ?? null,
    note: interval?.note ?? (interval?.reason && `No interval: ${interval.reason}.`),
  };
}

/** A network of one hidden layer that learns the scale of the columns itself. tfjs is loaded when it is asked for. */
async function networkOf(units: number) {
  const tf = await import('@tensorflow/tfjs');
  const { tabularNetwork } = await import('../../../models/tabularNetwork.mjs');
  return ({ inputShape, classes }: { inputShape: readonly (number | null)[]; classes: readonly unknown[] }) => {
    const network = tabularNetwork(tf, { inputShape, classes, units: [units] });
    const loss = LOSSES[classes.length] ?? 'sparseCategoricalCrossentropy';
    network.compile({ optimizer: tf.train.adam(), loss });
    return network;
  };
}

/** By the number of classes. */
const LOSSES: Readonly<Record<number, string>> = { 0: 'meanSquaredError', 2: 'binaryCrossentropy' };
