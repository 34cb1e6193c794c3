/** What a report says in sentences: what would earn the next verdict, who was tested, limits, how to repeat it, and a methods section. */
import type { CheckResult } from '../checkers/check.js';
import { nameText } from '../core/foreignText.js';
import { counted, percentOf, wholeNumber } from '../core/format.js';
import { labelsBehind } from '../core/labelsBehind.js';
import { isPlainRecord } from '../core/recorded.js';
import { classText, type Label } from '../data/labels.js';
import { countRange, preparedFacts } from '../runner/runFacts.js';
import type { ReportModel } from './reportModel.js';
import { withoutBlank } from './tables.js';
import { estimandText, type ReportTable } from './wording.js';

const STEPS = 5;

/** What to do, so that the verdict is a better one; empty where it passed. */
export function nextSteps({ verdict, checks, manifest }: ReportModel): string[] {
  const of: Readonly<Record<string, readonly CheckResult['status'][]>> = {
    failed: ['failed', 'error'],
    needs_review: ['needs_review', 'error'],
    not_fully_verified: ['not_evaluated'],
  };
  const statuses = of[verdict.status] ?? [];
  const deciding = checks.filter(
    (each) => statuses.includes(each.status) && each.acknowledged === undefined && !each.notDetectable,
  );
  const steps = [
    ...(manifest.foldsFailed > 0 ? [`Mend what made ${counted(manifest.foldsFailed, 'fold')} fail.`] : []),
    ...deciding.filter(({ fix }) => fix).map(({ code, fix }) => `${nameText(code, 20)}: ${fix}`),
    ...(verdict.status === 'not_fully_verified' && manifest.fixedModel !== null
      ? ['Test the model on rows that it cannot have been trained on, or train it in the folds.']
      : []),
  ];
  const unique = [...new Set(steps)];
  return unique.length > STEPS ? [...unique.slice(0, STEPS), `And ${unique.length - STEPS} more, below.`] : unique;
}

/** Rows and patients from the data to the scores (TRIPOD+AI item 20a, STARD item 24), with the classes where there are few. */
export function participants({ outOfFold, manifest, foldDetails }: ReportModel): ReportTable {
  const { n, nGroups, task, classes } = manifest;
  const rows = new Map<number, number>();
  for (const [at, row] of outOfFold.row.entries()) rows.set(row, at);
  const tested = [...rows.values()];
  const patientsOf = (places: readonly number[]) =>
    outOfFold.group ? wholeNumber(new Set(places.map((at) => outOfFold.group?.[at])).size) : '-';
  const line = (name: string, places: readonly number[]) => [name, patientsOf(places), wholeNumber(places.length)];
  const isClass = task === 'binary' || task === 'multiclass';
  const done = foldDetails.filter(({ status }) => status === 'completed');
  const sizes = done.map(({ nTrain, nTest }) => [nTrain, nTest]);
  const labels = labelsBehind(classes, outOfFold.yTrue as Label[]);
  const range = (side: number) =>
    countRange(
      sizes.map((of) => of[side]),
      wholeNumber,
    );
  return withoutBlank({
    header: ['step', 'patients', 'rows'],
    rows: [
      ['in the data', nGroups === null ? '-' : wholeNumber(nGroups), wholeNumber(n)],
      line('tested', tested),
      ...(isClass && labels && classes.length <= 12
        ? labels.map((label, code) =>
            line(
              `tested, class ${classText(classes, code)}`,
              tested.filter((at) => outOfFold.yTrue[at] === label),
            ),
          )
        : []),
      ...(n > rows.size ? [['in no test fold that gave a score', '-', wholeNumber(n - rows.size)]] : []),
      ...(readsTraining(manifest) ? [['in the training rows of a fold', '-', range(0)]] : []),
      ['in the test rows of a fold', '-', range(1)],
    ],
  });
}

/** Whether anything is fitted to the training rows of a fold. */
export const readsTraining = ({ fixedModel, preprocessing, adjustment }: ReportModel['manifest']): boolean =>
  fixedModel === null || preprocessing?.learns === true || adjustment !== null;

/** What was predicted, from what, and what counts as one. */
export function subjectText({ manifest: m, confidenceIntervals, outOfFold }: ReportModel): string {
  const [interval] = Object.values(confidenceIntervals);
  const outcome =
    m.positiveLabel !== null
      ? `${outOfFold.yProba ? 'the risk of' : 'whether it is'} ${nameText(JSON.stringify(m.positiveLabel))}`
      : m.task === 'survival'
        ? `the risk of event ${m.causeOfInterest} over time`
        : m.task === 'regression'
          ? 'a number'
          : m.classes.length > 0
            ? `${m.task === 'multilabel' ? 'which' : 'one'} of ${m.classes.length} ${m.task === 'multilabel' ? 'labels' : 'classes'}`
            : 'a mask';
  const from =
    m.rowShape === null
      ? ''
      : ` from ${m.rowShape.length === 1 ? counted(m.rowShape[0], 'predictor') : `arrays of ${m.rowShape.join(' x ')}`}`;
  const unit = interval
    ? ` Unit of analysis: the ${interval.independentUnit}${outOfFold.weight ? '' : `; every ${interval.averagedOver} counts alike in the estimates`}.`
    : '';
  return `Predicted for each row: ${outcome}${from}.${unit}`;
}

/** What the numbers do not say. */
export function limits(result: ReportModel): string[] {
  const { verdict, manifest, checks, confidenceIntervals } = result;
  const first = Object.values(confidenceIntervals).find(({ lower }) => lower !== null);
  const beyond = checks.filter((check) => check.notDetectable).map(({ type }) => nameText(type));
  return [
    ...(first
      ? [
          `The ${percentOf(first.level)} intervals are about ${estimandText(first.estimand, result)}; hospitals, devices and years that are not in these data are not in them.`,
        ]
      : ['There are no intervals: how far chance moves these numbers is not known.']),
    ...(manifest.nGroups === null && !manifest.independentRows
      ? [
          'No patients were named: rows of one patient may be on both sides of a fold, and what is true of rows need not be true of patients.',
        ]
      : []),
    ...(manifest.repeats === 1 && manifest.nSplits > 1 && manifest.design.includes('shuffle: true')
      ? ['The folds are one partition of many: another seed gives other folds and somewhat other numbers.']
      : []),
    ...(manifest.foldsFailed > 0
      ? [`${counted(manifest.foldsFailed, 'fold')} failed and are in no score; patients of these may be harder ones.`]
      : []),
    ...(manifest.fixedModel !== null
      ? ['The model is fixed: whether it was trained on rows of these data is not known.']
      : []),
    ...(verdict.open.length > 0 ? [`Not evaluated: ${verdict.open.map((type) => nameText(type)).join(', ')}.`] : []),
    ...(beyond.length > 0 ? [`Cannot be detected in data like these: ${beyond.join(', ')}.`] : []),
    ...(verdict.authorsWord.length > 0
      ? [`Taken on the author's word, not tested: ${verdict.authorsWord.join('; ')}.`]
      : []),
    'Whether the outcome was assessed without knowledge of the predictors, and whether the patients are those of the intended use, no software can see.',
  ];
}

const CALLS = ['validate', 'fitValidate', 'run', 'runWithHyperparameterTuning'];

/** The lines that run this result again; empty where predictions were given. */
export function repeatLines({ manifest }: ReportModel): string[] {
  const call = Object.keys(manifest.options).find((name) => CALLS.includes(name));
  if (call === undefined) return [];
  const hashed = Object.values(manifest.options).flatMap((table) =>
    Object.entries(Object(table)).flatMap(([name, value]) => (isPlainRecord(value as never) ? [] : [name])),
  );
  const data = call === 'fitValidate' ? SETS : Object.keys(manifest.sha256?.data ?? {});
  const names = [...new Set([...hashed, ...data])].filter((name) => /^[A-Za-z]\w*$/.test(name));
  return [
    "import { readFileSync } from 'node:fs';",
    "import { reproduce } from 'cvkit';",
    '',
    "const { manifest } = JSON.parse(readFileSync('report.json', 'utf8')); // result.writeReport('report.json')",
    `const again = await reproduce(manifest, { ${names.join(', ')} }); // what the manifest knows as a hash`,
    'console.log(again.reproduced, again.first);',
  ];
}

const SETS = ['XTrain', 'yTrain', 'XTest', 'yTest'];

/** Plain sentences for a methods section; every number is of this run. */
export function methodsText(result: ReportModel): string[] {
  const { manifest: m, scores, verdict, checks, foldDetails } = result;
  const patients = m.nGroups === null ? '' : ` of ${counted(m.nGroups, 'patient')}`;
  const shape =
    m.rowShape === null ? '' : m.rowShape.length === 1 ? ` with ${counted(m.rowShape[0], 'predictor')}` : '';
  const outcome =
    m.positiveLabel === null ? '' : `, with ${nameText(JSON.stringify(m.positiveLabel))} as the positive class`;
  const ended = m.foldsRun - m.foldsFailed;
  const folds = ended === m.nSplits ? counted(m.nSplits, 'fold') : `${ended} of ${counted(m.nSplits, 'fold')}`;
  const done = checks.filter(({ status }) => ['passed', 'failed', 'needs_review'].includes(status)).length;
  const [one] = foldDetails;
  const sizes = m.nSplits === 1 && one && one.nTrain > 0 ? ` (${one.nTrain} training and ${one.nTest} test rows)` : '';
  return [
    `We analysed ${counted(m.n, 'row')}${patients}${shape} in a ${m.task} task${outcome}.`,
    m.modelsTrained === 0 && m.fixedModel === null
      ? `Predictions that existed already were tested${m.nSplits > 1 ? ` in ${folds}` : ''}.`
      : `Models (${nameText(m.adapter)}${m.model === null ? '' : `, ${nameText(m.model)}`}) were ${m.fixedModel === null ? 'trained and tested' : 'tested'} in ${folds} by ${nameText(m.design, 200)} (seed ${m.randomState})${sizes}${m.repeats > 1 ? `, in ${m.repeats} repeats` : ''}.`,
    ...preparedFacts(m).map(([, text]) => `Preparation: ${text}.`),
    ...(m.modelsTrained > 0 && m.training && m.epochs !== null && !m.tuned
      ? [
          `Training used ${nameText(m.training.optimizer)} and ${nameText(m.training.lossFn)} for up to ${counted(m.epochs, 'epoch')} in batches of ${m.batchSize}.`,
        ]
      : []),
    ...(m.adjustment === null ? [] : [`Predictions: ${m.adjustment}.`]),
    `Performance on test rows was measured by ${Object.keys(scores)
      .map((name) => nameText(name))
      .join(', ')}.`,
    ...intervalSentences(result),
    `Checks of leakage, shift, balance and results that were made: ${done}; the verdict was: ${verdict.text}.`,
    `The analysis used cvkit ${m.cvkit} on ${m.runtime}; fingerprint of the folds ${m.foldFingerprint}.`,
  ];
}

/** One sentence for each way in which intervals were made. */
function intervalSentences({ confidenceIntervals }: ReportModel): string[] {
  const names = new Map<string, string[]>();
  for (const [name, { lower, level, method, nUnits, independentUnit }] of Object.entries(confidenceIntervals)) {
    if (lower === null) continue;
    const how = `${percentOf(level)} were made by ${method} over ${counted(nUnits, independentUnit)}`;
    names.set(how, [...(names.get(how) ?? []), nameText(name)]);
  }
  return Array.from(names, ([how, of]) => `Intervals of ${how}${names.size > 1 ? ` for ${of.join(', ')}` : ''}.`);
}
