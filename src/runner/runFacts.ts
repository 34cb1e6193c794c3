/** What a run was, in words: the lines that every summary and report begins with. */
import { show } from '../core/errors.js';
import { nameText } from '../core/foreignText.js';
import { counted, formatDuration } from '../core/format.js';
import { snakeCase } from '../core/names.js';
import type { Recorded, RecordedOptions } from '../core/recorded.js';
import { engineText } from '../core/summaryText.js';
import type { FoldDetails } from './foldResult.js';
import type { RunMetadata } from './runMetadata.js';

export type Fact = readonly [label: string, text: string];

type Metadata = RunMetadata & {
  readonly independentRows?: boolean;
};
interface Run {
  readonly metadata: Metadata;
  readonly foldDetails: readonly FoldDetails[];
}

/** Design with its time, data, task, and model. `details`: also what only someone who repeats the run needs. */
export function runFacts({ metadata: m, foldDetails }: Run, { details = false } = {}): Fact[] {
  const facts: (Fact | false)[] = [
    ['Design', `${m.splitter}, ${foldsText(m)}${seedText(m)}; ${formatDuration(m.seconds)}`],
    ['Data', dataText(m)],
    ['Task', `${m.task}: ${m.taskReason}${positiveText(m)}`],
    ...preparedFacts(m),
    ['Model', modelText(m, foldDetails)],
    details && m.fitNotSeen !== null && ['Fit', `whether it has an effect could not be seen: ${m.fitNotSeen}`],
    trainingFact(m, foldDetails),
    innerFits(m, foldDetails),
    details && m.labels !== null && ['Labels', m.labels],
    m.adjustment !== null && ['Predictions', m.adjustment],
    ...failedFacts(foldDetails),
    m.verifiedFolds !== null && ['Isolation', isolationText(m.verifiedFolds)],
    details && ['Folds', `${m.design}; fingerprint ${m.foldFingerprint}`],
    details && ['Engine', [...engineText(m.engine), `cvkit ${m.cvkit}`].join(', ')],
    ...(details ? m.overridden.map((text): Fact => ['Overridden', text]) : []),
  ];
  return facts.filter((fact) => fact !== false);
}

const ERRORS = 3;

function failedFacts(folds: readonly FoldDetails[]): Fact[] {
  const errors = folds.flatMap(({ error }) => (error === null ? [] : [error]));
  if (errors.length === 0) return [];
  const hidden = errors.length - ERRORS;
  return [
    ['FAILED', `${errors.length} of ${counted(folds.length, 'fold')}, in no score`],
    ...errors.slice(0, ERRORS).map((error): Fact => ['Reason', error]),
    ...(hidden > 0 ? [['Reason', `and ${hidden} more`] as const] : []),
  ];
}

function foldsText({ foldsRun, nSplits, stopped }: RunMetadata): string {
  const run = foldsRun === nSplits ? counted(nSplits, 'fold') : `${foldsRun} of ${counted(nSplits, 'fold')}`;
  return stopped ? `${run}, ended by a callback` : run;
}

/** The seed of the run draws folds only where the splitter has none of its own. */
function seedText({ design, randomState }: RunMetadata): string {
  const ofFolds = /randomState: ('[^']*'|[^,} ]+)/.exec(design)?.[1];
  if (ofFolds === show(randomState)) return `; seed ${randomState}`;
  return `${ofFolds ? `, randomState ${ofFolds}` : ''}; training seed ${randomState}`;
}

function dataText({ n, nGroups, rowShape, independentRows }: Metadata): string {
  const unnamed = independentRows ? ', each its own patient' : ', no patient ids given';
  const patients = nGroups === null ? unnamed : ` of ${counted(nGroups, 'patient')}`;
  return `${counted(n, 'row')}${patients}${rowShape === null ? '' : `, ${shapeText(rowShape)}`}`;
}

const shapeText = (shape: readonly number[]) =>
  shape.length === 1 ? counted(shape[0], 'feature') : `each ${shape.join(' x ')}`;

const positiveText = ({ positiveLabel, times, causeOfInterest, aggregate }: RunMetadata) => {
  const rule = {
    mean: 'the mean of their rows',
    max: 'the largest of their rows',
    function: 'a function of their rows',
  };
  const patients = aggregate ? `; patients scored by ${rule[aggregate]}` : '';
  if (times) return `; event ${causeOfInterest}, at the times ${times.join(', ')}${patients}`;
  return `${positiveLabel === null ? '' : `; positive class ${nameText(JSON.stringify(positiveLabel))}`}${patients}`;
};

export function preparedFacts({ preprocessing }: Pick<RunMetadata, 'preprocessing'>): Fact[] {
  if (!preprocessing) return [];
  const { steps, globalSteps, frozen, learns } = preprocessing;
  const listed = (words: string, names: readonly string[]) =>
    names.length === 0 ? '' : `; ${words}: ${names.map((each) => nameText(each, 200)).join(', ')}`;
  const global = listed('on other rows, as the author declares', globalSteps);
  const elsewhere = listed('trained elsewhere, perhaps on these rows', frozen);
  const where = learns ? 'fitted in each fold on its training rows' : 'which learns nothing from rows of the run';
  return [['Prepared', `${nameText(steps, 200)}, ${where}${global}${elsewhere}`]];
}

/** `tfjs on wasm: 12 to 30 of 40 epochs, adam, learning rate 0.001, binaryCrossentropy, batches of 32`. */
function modelText(m: RunMetadata, folds: readonly FoldDetails[]): string {
  const name = `${nameText(m.adapter)}${m.model === null ? '' : ` (${nameText(m.model)})`}${m.engine.backend ? ` on ${nameText(m.engine.backend)}` : ''}`;
  if (m.fixedModel !== null) return `${name}, not trained: ${m.fixedModel}`;
  if (m.epochs === null) return name;
  const used = countRange(folds.filter(({ status }) => status === 'completed').map(({ epochs }) => epochs));
  const chosen = (name: string) => m.tuned?.some((each) => each === name || each === snakeCase(name)) === true;
  const all = used === String(m.epochs) ? counted(m.epochs, 'epoch') : `${used} of ${counted(m.epochs, 'epoch')}`;
  const epochs = chosen('epochs') ? `${used} epochs, as the search chose` : all;
  const batches = chosen('batchSize') ? 'batches of the size that the search chose' : `batches of ${m.batchSize}`;
  const settings = m.training ? [m.training.optimizer, m.training.lossFn].map((each) => nameText(each)) : [];
  return `${name}: ${[epochs, ...settings, batches].join(', ')}`;
}

function trainingFact({ options }: RunMetadata, folds: readonly FoldDetails[]): Fact | false {
  const parts = [...trainedRows(folds), ...trainedWith(options)];
  return parts.length > 0 && ['Training', parts.join('; ')];
}

function trainedRows(folds: readonly FoldDetails[]): string[] {
  const done = folds.filter(({ status }) => status === 'completed');
  if (done.every(({ nFitted, nTrain }) => nFitted === nTrain)) return [];
  const watched = countRange(done.map(({ nValidation }) => nValidation));
  return [`${countRange(done.map(({ nFitted }) => nFitted))} rows in each fold; ${watched} more were watched`];
}

const TRAINING_CALLBACKS = ['EarlyStopping', 'LearningRateScheduler', 'ReduceLROnPlateau'];

/** What acted on training beside optimizer and loss, as the manifest has it: `classWeight 'balanced', augment, EarlyStopping(...)`. */
function trainedWith(tables: RecordedOptions): string[] {
  const of = (name: string) => Object.values(tables).flatMap((table) => table[name] ?? []);
  const used = [
    ...of('classWeight').map((weight) => `classWeight ${settingText(weight)}`),
    ...(of('augment').length > 0 ? ['augment'] : []),
    ...of('callbacks').flatMap((each) => {
      const { class: name, options } = each as { class: string; options: Readonly<Record<string, Recorded>> };
      if (TRAINING_CALLBACKS.includes(name)) return `${name}(${settingText(options)})`;
      return options?.needsEpochs === true && options.readOnly !== true ? nameText(String(options.name ?? name)) : [];
    }),
  ];
  return used.length > 0 ? [used.join(', ')] : [];
}

function settingText(value: Recorded): string {
  if (typeof value !== 'object' || value === null) return show(value);
  if ('function' in value) return 'a function';
  const set = Object.entries(value).filter(([, each]) => each !== null);
  return set.map(([name, each]) => `${nameText(name)} ${settingText(each)}`).join(', ');
}

function innerFits({ modelsTrained }: RunMetadata, folds: readonly FoldDetails[]): Fact | false {
  const inner = folds.reduce((sum, fold) => sum + fold.innerFits, 0);
  return inner > 0 && ['Inner fits', `${inner} of ${modelsTrained} fits in all`];
}

function isolationText([first, drawn]: readonly string[]): string {
  if (first === undefined) return 'nothing could be shown: that takes two completed folds';
  return `trained again after all folds, ${first} and then ${drawn} (drawn at random), with what callbacks had decided in them, gave the same history and predictions, bit for bit; what was kept before this run, or once by the first fold for all others (a scaler that is fitted on first use), does not show, and other folds were not tried`;
}

/** `7`, `5 to 9`, `none`. */
export function countRange(counts: readonly number[], write: (count: number) => string = String): string {
  if (counts.length === 0) return 'none';
  const [least, most] = counts.reduce(
    ([low, high], each) => [Math.min(low, each), Math.max(high, each)],
    [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY],
  );
  return least === most ? write(least) : `${write(least)} to ${write(most)}`;
}
