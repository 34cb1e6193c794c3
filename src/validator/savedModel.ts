/** External validation: a model that is trained already is scored on new rows. */
import { assessRun, turnedOff } from '../checkers/assessRun.js';
import { allBalanceChecks, allLeakageChecks } from '../checkers/builtInChecks.js';
import { duplicateRows } from '../checkers/CVL002-duplicate/duplicateRows.js';
import { type CheckResult, factsOf } from '../checkers/check.js';
import { checkDeclared } from '../checkers/checkDeclared.js';
import { checkShape, type Declared } from '../checkers/checkOptions.js';
import { InvalidDataError, InvalidOptionError, kindOf, phrase, sentence } from '../core/errors.js';
import { nameText } from '../core/foreignText.js';
import { formatNumber } from '../core/format.js';
import { type Parsed, rejectUnusedOption } from '../core/options.js';
import { contentHashes } from '../data/contentHashes.js';
import { type Labels, labelsOf, listed, rowNumbers } from '../data/labels.js';
import { hasKeptModelShape } from '../data/modelShapes.js';
import { pseudonyms } from '../data/pseudonyms.js';
import { type Rows, rowsOf } from '../data/rows.js';
import { checkLength } from '../data/sideData.js';
import { defaultMetrics } from '../metrics/registry.js';
import type { KeptModel, ModelDescription } from '../runner/keptModels.js';
import { readData, sameOrThrow } from '../runner/readData.js';
import type { RunMetadata } from '../runner/runMetadata.js';
import { foldsOf } from '../splitters/foldsOf.js';
import { evaluateOptions } from './evaluateOptions.js';
import { type EvaluateInput, evaluated, type PredictedBy } from './evaluation.js';
import { testSetProblem } from './givenTestSet.js';
import type { fitValidateOptions } from './validateOptions.js';
import type { ValidationResult } from './validationResult.js';
import type { validatorOptions } from './validatorOptions.js';

type OfModel = EvaluateInput & { readonly model: KeptModel };
type FitValidate = Parsed<typeof fitValidateOptions.shape>;
type Validator = Parsed<typeof validatorOptions.shape>;

export const isKept = (model: unknown): model is KeptModel => hasKeptModelShape(model);

/** What `evaluate` does with `model` and `X`. */
export async function evaluateModel(options: OfModel, changed: ReadonlySet<string>): Promise<ValidationResult> {
  for (const name of ['yPred', 'yProba', 'classes', 'fold', 'task', 'positiveLabel'] as const) {
    if (options[name] !== undefined) rejectUnusedOption('evaluate', name, '`model` says it');
  }
  const made = await predicted(options, { X: 'X', y: 'yTrue' });
  const fix = 'Use `fitValidate` with the model, these rows, and the rows that it was trained on.';
  return evaluated(made.options, changed, { ...made.by, owner: 'evaluate', fix });
}

/** What `fitValidate` takes with a saved model; all else is about training. */
const USED: ReadonlySet<string> = new Set([
  ...['model', 'XTrain', 'yTrain', 'XTest', 'yTest', 'featureNames', 'groups', 'patientIds', 'testGroups'],
  ...['testPatientIds', 'sampleWeight', 'sampleWeightTest', 'metrics', 'randomState', 'verbose'],
  ...['leakageChecker', 'raiseOn', ...Object.keys(checkShape)],
]);

/** What `fitValidate` does with a saved model: nothing is trained, and training rows serve the checks alone. */
export async function testModel(
  { options: settings, changed: ofValidator }: Validator,
  { options, changed }: FitValidate,
  { declared, randomState }: { readonly declared: Declared; readonly randomState: number | string },
): Promise<ValidationResult> {
  const { XTrain, XTest, yTest, raiseOn, leakageChecker } = options;
  for (const name of changed) {
    if (!USED.has(name)) rejectUnusedOption('fitValidate', name, 'the model is trained already, and brings its own');
  }
  const pairs = { patientIds: 'testPatientIds', groups: 'testGroups', sampleWeight: 'sampleWeightTest' } as const;
  const ofTraining = ['yTrain', ...Object.keys(pairs), 'leakageChecker', 'spatialThreshold', 'embeddings', 'design'];
  const idle = ofTraining.find((name) => (changed as ReadonlySet<string>).has(name));
  if (XTrain === undefined && idle) {
    const way = idle in pairs ? `Use \`${pairs[idle as keyof typeof pairs]}\` for those of XTest.` : undefined;
    rejectUnusedOption('fitValidate', idle, 'there is no `XTrain`', way);
  }
  const made = await predicted(
    {
      ...evaluateOptions.resolve({ yTrue: yTest }),
      ...{ model: options.model as KeptModel, X: XTest, featureNames: options.featureNames },
      groups: sameOrThrow(options.testGroups, options.testPatientIds, '`testGroups` and `testPatientIds`'),
      ...{ sampleWeight: options.sampleWeightTest, metrics: options.metrics ?? settings.metrics, randomState },
      ...{ ciMethod: settings.ciMethod, ciLevel: settings.ciLevel, nBootstrap: settings.nBootstrap },
      ...{ sampling: settings.sampling, returnConfidenceIntervals: settings.returnConfidenceIntervals },
      ...{ checklists: settings.checklists, revealIds: options.revealIds },
    },
    { X: 'XTest', y: 'yTest' },
  );
  const training = XTrain !== undefined;
  const assessed = training ? await assessedWith(options, { settings, declared, randomState, made }) : NOTHING;
  if (!training) checkDeclared('fitValidate', { ...declared, data: made.data, folds: { n: made.n } });
  const off = [
    ...(settings.checkLeakage ? [] : turnedOff(allLeakageChecks(), 'checkLeakage')),
    ...(settings.checkBalance ? [] : turnedOff(allBalanceChecks(), 'checkBalance')),
  ];
  if (!settings.checkLeakage && (raiseOn || leakageChecker)) {
    rejectUnusedOption('fitValidate', raiseOn ? 'raiseOn' : 'leakageChecker', '`checkLeakage` is false');
  }
  const result = await evaluated(made.options, ofValidator, {
    ...made.by,
    ...assessed,
    checks: [...off, ...made.by.checks, ...assessed.checks],
    owner: 'fitValidate',
    compliance: settings.compliance,
    declared,
    metadata: { ...made.by.metadata, warnings: [...made.warnings, ...assessed.warnings] },
    fix: 'Pass `XTrain`, `yTrain` and `patientIds`, the rows that it was trained on.',
  });
  const raises = raiseOn ?? (settings.checkLeakage === 'strict' ? [] : undefined);
  if (raises) result.leakageReport?.refuse(raises);
  return result;
}

interface Names {
  readonly X: string;
  readonly y: string;
}

/** Predictions of the model as `evaluate` takes them, and what is known of it. */
async function predicted({ model, ...options }: OfModel, names: Names) {
  const about = model.describe();
  const classes = about.task === 'binary' || about.task === 'multiclass' ? about.classes : undefined;
  const task = classes ? 'classification' : about.task;
  if (options.X === undefined) {
    const must = 'be given with `model`';
    throw new InvalidOptionError(sentence('The `X` option of evaluate', must, phrase('nothing')), {
      code: 'missing_option',
    });
  }
  const X = rowsOf(options.X, names.X, options.featureNames);
  const y = labelsOf(options.yTrue, { task, name: names.y });
  checkLength(y, X.length, names.y, names.X);
  if (classes) refuseUnknown(y, classes, names.y);
  const { predictions, probabilities } = await model.predict(X);
  const width = probabilities ? probabilities.length / X.length : 0;
  const data = options.groups ? { groups: options.groups } : {};
  const folds = [{ train: rowNumbers(0), test: rowNumbers(X.length) }];
  const sha256 = await contentHashes({ X, y, data, folds });
  const warnings = (X.warnings ?? []).map((warning) => nameText(warning, 1000));
  const by = {
    metadata: { ...metadataOf(about, X), sha256, warnings },
    checks: sameRows(about, sha256.data.X),
    why: `A saved model does not hold the rows that it was trained on${difference(about, sha256.data.X)}.`,
  };
  return {
    ...{ by, data, warnings, n: X.length, about },
    options: {
      ...options,
      X: undefined,
      ...{ task: task as EvaluateInput['task'], yTrue: options.yTrue, yPred: predictions as EvaluateInput['yPred'] },
      ...(probabilities ? { yProba: { data: probabilities, shape: [X.length, width] } } : {}),
      ...(classes ? { classes } : {}),
      ...(about.task === 'binary' && about.positiveLabel !== null ? { positiveLabel: about.positiveLabel } : {}),
    } as EvaluateInput,
  };
}

function refuseUnknown(y: Labels, classes: ModelDescription['classes'], name: string): void {
  const row = y.codes.findIndex((code) => !classes.includes(y.classes[code]));
  if (row < 0) return;
  const must = `be a class that the model knows (${listed(classes)})`;
  const message = sentence(`${name} row ${row}`, must, kindOf(y.classes[y.codes[row]]));
  throw new InvalidDataError(message, { code: 'unseen_class' });
}

function metadataOf(
  { framework, recalibration, threshold, preprocessing, run, fold, data }: ModelDescription,
  X: Rows,
) {
  const parts = [
    recalibration === null ? [] : `${recalibration} recalibration`,
    threshold === null ? [] : `threshold ${formatNumber(threshold)}`,
  ].flat();
  const none = { globalSteps: [], frozen: [], resamplers: [], imputers: [] };
  const about: Partial<RunMetadata> = {
    adapter: framework,
    fixedModel: 'it was trained before, and saved',
    network: { framework, run, fold, data },
    rowShape: X.rowShape ?? null,
    preprocessing: preprocessing === null ? null : { steps: preprocessing, learns: false, ...none },
    adjustment: parts.length === 0 ? null : `${parts.join(', ')}; those of the saved model`,
  };
  return about;
}

/** The rows of the training itself: every test row is a training row, or may be one. */
function sameRows({ data, fold }: ModelDescription, X: string | null | undefined): CheckResult[] {
  if (!X || data?.X !== X) return [];
  const trained = fold === null ? 'it was trained on' : 'its run divided, and it was trained on a part of them';
  return [
    {
      ...factsOf(duplicateRows),
      status: 'failed',
      severity: 'critical',
      message: `The rows are those that ${trained}: their SHA-256 is the one that the saved model names.`,
      evidence: { sha256: X },
      fix: 'Test the model on rows that it has never seen.',
    },
  ];
}

const difference = ({ data }: ModelDescription, X: string | null | undefined): string =>
  X && data?.X ? '; their SHA-256 is not that of these rows, of which some may be among them all the same' : '';

const NOTHING: Pick<PredictedBy, 'checks'> & { readonly warnings: readonly string[] } = { checks: [], warnings: [] };

interface Assessing {
  readonly settings: Validator['options'];
  readonly declared: Declared;
  readonly randomState: number | string;
  readonly made: Awaited<ReturnType<typeof predicted>>;
}

/** The checks of a test set, with the rows that the caller says the model was trained on. */
async function assessedWith(options: FitValidate['options'], { settings, declared, randomState, made }: Assessing) {
  const { task } = made.about;
  const read = { ...options, task: task === 'binary' || task === 'multiclass' ? ('classification' as const) : task };
  const { data: all, splitter, trainRows } = testSetProblem(read);
  const problem = readData(all, { positiveLabel: undefined });
  const { X, y, data, weight } = problem;
  const folds = foldsOf(splitter, X.length, y, data);
  const warnings: string[] = [];
  const { train } = folds.at(0);
  const then = await contentHashes({ X: X.take(train), y: y.take(train), data: {}, folds: [] });
  const known = made.about.data?.X;
  if (known && then.data.X && known !== then.data.X) {
    warnings.push(
      'XTrain is not what the model was trained on: its SHA-256 is not the one that the saved model names. The checks compare with XTrain as it is.',
    );
  }
  const warn = (text: string) => void warnings.push(text);
  const scene = { folds, X, y, data, randomState, preprocessing: null, nameOf: pseudonyms(), warn };
  const scores = options.metrics ?? settings.metrics ?? defaultMetrics(task, y.shape !== undefined);
  const { checks, balance } = await assessRun(scene, {
    ...{ ...options, ...declared, acknowledged: {}, owner: 'fitValidate', trainRows, weight, scores },
    ...{ leakage: settings.checkLeakage !== false, balance: settings.checkBalance, checker: options.leakageChecker },
  });
  return { checks, balance, warnings };
}
