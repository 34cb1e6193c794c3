/** External validation: a model that is trained already is scored on new rows. */
import { turnedOff } from '../checkers/assessRun.js';
import { allBalanceChecks, allLeakageChecks } from '../checkers/builtInChecks.js';
import { duplicateRows } from '../checkers/CVL002-duplicate/duplicateRows.js';
import { type CheckResult, factsOf } from '../checkers/check.js';
import { checkDeclared } from '../checkers/checkDeclared.js';
import { type Declared, declaredShape, NOTHING_DECLARED } from '../checkers/checkOptions.js';
import { InvalidOptionError, phrase, sentence } from '../core/errors.js';
import { nameText } from '../core/foreignText.js';
import { formatNumber } from '../core/format.js';
import { type Parsed, rejectUnusedOption } from '../core/options.js';
import { contentHashes } from '../data/contentHashes.js';
import { labelsOf, listed, rowNumbers } from '../data/labels.js';
import { notedWarnings, noting } from '../data/notedCells.js';
import { type Rows, rowsOf } from '../data/rows.js';
import { checkLength } from '../data/sideData.js';
import { type KeptModel, type ModelDescription, rowsToPredict } from '../runner/keptModels.js';
import { sameOrThrow } from '../runner/readData.js';
import type { RunMetadata } from '../runner/runMetadata.js';
import { refuseOtherClasses } from '../runner/twoSets.js';
import { evaluateOptions } from './evaluateOptions.js';
import { type EvaluateInput, evaluated } from './evaluation.js';
import type { fitValidateOptions } from './validateOptions.js';
import type { ValidationResult } from './validationResult.js';
import type { validatorOptions } from './validatorOptions.js';

type OfModel = EvaluateInput & { readonly model: KeptModel };
type FitValidate = Parsed<typeof fitValidateOptions.shape>;
type Validator = Parsed<typeof validatorOptions.shape>;

/** What `evaluate` does with `model` and `X`. */
export async function evaluateModel(options: OfModel, changed: ReadonlySet<string>): Promise<ValidationResult> {
  for (const name of ['yPred', 'yProba', 'classes', 'fold', 'task', 'positiveLabel'] as const) {
    if (options[name] !== undefined) rejectUnusedOption('evaluate', name, '`model` says it');
  }
  const { by, ...rest } = await predicted(options, { X: 'X', y: 'yTrue' });
  return evaluated(rest.options, changed, { ...by, owner: 'evaluate' });
}

/** What `fitValidate` takes with a saved model; all else is about training. */
const USED: ReadonlySet<string> = new Set([
  ...['model', 'XTest', 'yTest', 'featureNames', 'testGroups', 'testPatientIds', 'sampleWeightTest', 'metrics'],
  ...['randomState', 'verbose', 'raiseOn', 'revealIds', ...Object.keys(declaredShape)],
]);

const OF_TEST: Readonly<Record<string, string>> = {
  ...{ groups: 'testGroups', patientIds: 'testPatientIds', sampleWeight: 'sampleWeightTest' },
};

/** What `fitValidate` does with a saved model: nothing is trained. */
export async function testModel(
  { options: settings, changed: ofValidator }: Validator,
  { options, changed }: FitValidate,
  { declared, randomState }: { readonly declared: Declared; readonly randomState: number | string },
): Promise<ValidationResult> {
  for (const name of changed) {
    if (USED.has(name)) continue;
    const ofTest = OF_TEST[name];
    const way = ofTest && `Pass \`${ofTest}\`.`;
    rejectUnusedOption(
      'fitValidate',
      name,
      `the model was trained before, ${ofTest ? 'and no rows are fitted' : 'and brings its own'}`,
      way,
    );
  }
  const { model, XTest, yTest, testGroups, testPatientIds, featureNames, revealIds } = options;
  const groups = sameOrThrow(testGroups, testPatientIds, '`testGroups` and `testPatientIds`');
  const { ciMethod, ciLevel, nBootstrap, sampling, returnConfidenceIntervals, checklists, compliance } = settings;
  const { by, data, n, ...rest } = await predicted(
    {
      ...evaluateOptions.resolve({ yTrue: yTest }),
      ...{ model: model as KeptModel, X: XTest, featureNames, groups, sampleWeight: options.sampleWeightTest },
      ...{ metrics: options.metrics ?? settings.metrics, randomState, checklists, revealIds },
      ...{ ciMethod, ciLevel, nBootstrap, sampling, returnConfidenceIntervals },
    },
    { X: 'XTest', y: 'yTest' },
  );
  checkDeclared('fitValidate', { ...declared, data, folds: { n } });
  const checks = [
    ...(settings.checkLeakage ? [] : turnedOff(allLeakageChecks(), 'checkLeakage')),
    ...(settings.checkBalance ? [] : turnedOff(allBalanceChecks(), 'checkBalance')),
    ...by.checks,
  ];
  const about = { ...by, owner: 'fitValidate', compliance, declared, checks } as const;
  const result = await evaluated(rest.options, ofValidator, about);
  const raises = options.raiseOn ?? (settings.checkLeakage === 'strict' ? [] : undefined);
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
    const message = sentence('The `X` option of evaluate', 'be given with `model`', phrase('nothing'));
    throw new InvalidOptionError(message, { code: 'missing_option' });
  }
  const X = await rowsToPredict(rowsOf(options.X, names.X, options.featureNames), about.featureNames);
  const y = labelsOf(options.yTrue, { task, name: names.y });
  checkLength(y, X.length, names.y, names.X);
  if (classes) refuseOtherClasses(y, classes, `be a class that the model knows (${listed(classes)})`, names.y);
  const read = noting(X);
  const { predictions, probabilities } = await model.predict(read.X);
  const shape = [X.length, ...(y.shape ?? [(probabilities?.length ?? 0) / X.length])];
  const yPred = y.shape
    ? { data: Uint8Array.from((predictions as Uint8Array[]).flatMap((mask) => [...mask])), shape }
    : predictions;
  const data = options.groups ? { groups: options.groups } : {};
  const folds = [{ train: rowNumbers(0), test: rowNumbers(X.length) }];
  const sha256 = await contentHashes({ X, y, data, folds });
  const ofX = (X.warnings ?? []).map((warning) => nameText(warning, 1000));
  const warnings = [...ofX, ...notedWarnings(read.cells, X.length)];
  const by = {
    ...{ method: 'given test set', compliance: null, declared: NOTHING_DECLARED },
    metadata: { ...metadataOf(about, X), sha256, warnings },
    checks: sameRows(about, sha256.data.X),
    why: `A saved model does not hold the rows that it was trained on${difference(about, sha256.data.X)}.`,
    fix: 'Pass those rows and these to `checkCvSplits` of DataLeakageChecker.',
  };
  return {
    ...{ by, data, n: X.length },
    options: {
      ...options,
      X: undefined,
      ...{ task, yPred },
      ...(probabilities ? { yProba: { data: probabilities, shape } } : {}),
      ...(classes ? { classes } : {}),
      ...(about.task === 'binary' && about.positiveLabel !== null ? { positiveLabel: about.positiveLabel } : {}),
    } as EvaluateInput,
  };
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
    ...{ splitter: 'given test set', design: 'a saved model on one test set', taskReason: 'as the model says' },
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
