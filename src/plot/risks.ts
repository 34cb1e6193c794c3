/** Predicted probabilities of one class by fold, from results or from plain numbers. */

import { InvalidDataError, InvalidOptionError, phrase, sentence } from '../core/errors.js';
import { groupBy } from '../core/groupBy.js';
import { labelsBehind } from '../core/labelsBehind.js';
import { custom, integer, number, string } from '../core/options.js';
import type { Label } from '../data/labels.js';
import { classText } from '../data/labels.js';
import { checkLength } from '../data/sideData.js';
import { type ScoreTableInput, scoreTable } from '../metrics/scoreTable.js';
import { type PlottedResults, type Risks, taskOf } from './plottedResults.js';
import { risksAt } from './risksAt.js';

export interface PlainRisks {
  /** Labels of two classes, length n. */
  readonly yTrue: ArrayLike<Label>;
  /** Probability of the positive class, length n. */
  readonly yProba: ArrayLike<number>;
  /** Name of the fold of each row. Left out: the rows are those of one model. */
  readonly fold?: ArrayLike<Label>;
  /** Patient of each row. */
  readonly groups?: ArrayLike<Label>;
  readonly sampleWeight?: ArrayLike<number>;
}

export interface RisksByFold extends Risks {
  /** What is predicted. */
  readonly event: string;
  readonly folds: readonly (Risks & { readonly name: string })[];
  /** Rows of the out-of-fold table, where some are left out. */
  readonly rows?: Int32Array;
}

interface RiskChoice {
  readonly positiveLabel?: Label | undefined;
  readonly time?: number | undefined;
}

/** Options of pictures of risks. */
export const riskOptions = {
  time: number({ above: 0 })
    .optional()
    .describe(
      'Of outcomes by time: the horizon, one of the times of the run; left out, the middle one. Rows are weighted for censoring.',
    ),
  positiveLabel: custom<Label>('label', 'be a string, a number or a boolean', (v) =>
    ['string', 'number', 'boolean'].includes(typeof v),
  )
    .optional()
    .describe(
      'The class whose probabilities are drawn; by default the positive one. With three and more classes name one.',
    ),
};

export const pictureOptions = {
  title: string().optional().describe('Heading; says what is drawn when left out.'),
  width: integer({ min: 280, max: 2000 }).default(400).describe('Width in pixels.'),
};

/** Whether a source is what `run`, `validate` or `evaluate` gave, awaited. */
export const isResults = (source: unknown): source is PlottedResults => {
  const { outOfFold, foldDetails } = Object(source) as Partial<PlottedResults>;
  return outOfFold !== undefined && Array.isArray(foldDetails);
};

/** @throws {InvalidDataError} for a first argument that does not fit */
export function checkSource(owner: string, must: string, source: unknown, fits: boolean): void {
  if (!fits) throw new InvalidDataError(sentence(`The first argument of ${owner}`, must, source));
}

/** @throws {InvalidDataError} for what a run did not give, and for what lacks the parts that are drawn */
export function checkParts(subject: string, results: object, ...parts: readonly string[]): void {
  const fields = Object(results) as Readonly<Record<string, unknown>>;
  const fits = parts.every((name) => typeof fields[name] === 'object' && fields[name] !== null);
  const must = `be what \`run\` or \`validate\` gives, awaited, with ${parts.map((name) => `\`${name}\``).join(' and ')}`;
  checkSource(subject, must, results, fits);
}

/**
 * @param subject of errors: the name of the function
 * @throws {InvalidDataError} for results without probabilities, and for rows that are no probabilities of two classes
 */
export function risksOf(
  subject: string,
  source: PlottedResults | PlainRisks,
  { positiveLabel, time }: RiskChoice = {},
): RisksByFold {
  if (isResults(source)) {
    if (taskOf(source).task !== 'survival') return risksOfResults(subject, source, positiveLabel);
    const { rows, event, ...risks } = risksAt(subject, source, time);
    const names = namesOfFolds(source);
    const ofRows = Array.from(rows, (row) => names[row]);
    return { ...byFold(risks, ofRows, event), rows };
  }
  const { yTrue, yProba, fold, groups, sampleWeight } = Object(source) as Partial<PlainRisks>;
  const must = 'be what `run` or `validate` gives, awaited, or { yTrue, yProba }';
  checkSource(subject, must, source, Boolean(yTrue && yProba));
  const table = scoreTable({ yTrue, yProba, task: 'binary', positiveLabel, sampleWeight } as ScoreTableInput);
  if (fold) checkLength(fold, table.length, 'fold', 'yTrue');
  if (groups) checkLength(groups, table.length, 'groups', 'yTrue');
  return byFold(
    {
      y: Uint8Array.from(table.yTrue, (code) => Number(code === table.positive)),
      p: table.yProba as Float64Array,
      weight: table.weight,
      groups: groups && Array.from(groups),
    },
    Array.from({ length: table.length }, (_, row) => (fold ? String(fold[row]) : 'all rows')),
    classText(table.classes, table.positive),
  );
}

function risksOfResults(subject: string, results: PlottedResults, positiveLabel: Label | undefined): RisksByFold {
  const { outOfFold } = results;
  const { task, classes, positiveLabel: positive } = taskOf(results);
  const { yTrue, yProba, weight, group } = outOfFold;
  const refuse = (must: string, got: string, way?: string): never => {
    throw new InvalidDataError(sentence(`The results given to ${subject}`, must, phrase(got), way), {
      code: 'no_risks',
    });
  };
  if (task !== 'binary' && task !== 'multiclass') refuse('be of a task with classes', `a ${task} task`);
  if (!yProba) refuse('have probabilities', 'predicted labels alone', 'Give the model `predictProba`.');
  const label = positiveLabel ?? (task === 'binary' ? positive : undefined);
  const labels = labelsBehind(classes, yTrue as Label[]) ?? classes;
  const column = [classes, labels]
    .map((all) => all.findIndex((each) => each === label || String(each) === String(label)))
    .reduce((printed, own) => (printed === -1 ? own : printed));
  if (label === undefined || label === null || column === -1) {
    const names = classes
      .slice(0, 8)
      .map((_, code) => classText(classes, code))
      .join(', ');
    const got = label === undefined || label === null ? phrase('none') : label;
    throw new InvalidOptionError(
      sentence(`The \`positiveLabel\` option of ${subject}`, `name one of the classes: ${names}`, got),
      {
        code: 'unknown_class',
      },
    );
  }
  const isPositive = task === 'binary' && String(classes[column]) === String(positive);
  const proba = yProba as readonly (number | ArrayLike<number>)[];
  return byFold(
    {
      y: Uint8Array.from(yTrue, (each) => Number(String(each) === String(labels[column]))),
      p: Float64Array.from(proba, (each) => (typeof each === 'number' ? (isPositive ? each : 1 - each) : each[column])),
      weight: weight ?? undefined,
      groups: group ?? undefined,
    },
    namesOfFolds(results),
    classText(classes, column),
  );
}

/** The name of the fold of each row. */
export function namesOfFolds({ outOfFold, foldDetails }: PlottedResults): string[] {
  const names = new Map(foldDetails.map(({ index, fold }) => [index, fold]));
  return Array.from(outOfFold.fold, (index) => names.get(index) ?? `fold-${index}`);
}

function byFold(all: Risks, fold: readonly string[], event: string): RisksByFold {
  const rows = groupBy(fold.keys(), (row) => fold[row]);
  const folds = Array.from(rows, ([name, members]) => ({
    name,
    y: Uint8Array.from(members, (row) => all.y[row]),
    p: Float64Array.from(members, (row) => all.p[row]),
    weight: all.weight && Float64Array.from(members, (row) => (all.weight as Float64Array)[row]),
    groups: all.groups && members.map((row) => (all.groups as readonly Label[])[row]),
  }));
  return { ...all, event, folds };
}

/** The table of scores that metrics and curves take. */
export const tableOfRisks = ({ y, p, weight }: Risks) =>
  scoreTable({
    yTrue: y,
    yProba: p,
    task: 'binary',
    classes: [0, 1],
    positiveLabel: 1,
    sampleWeight: weight ?? null,
  }) as ReturnType<typeof scoreTable> & { readonly yProba: Float64Array };

export const hasBoth = ({ y }: Risks): boolean => y.includes(1) && y.includes(0);
