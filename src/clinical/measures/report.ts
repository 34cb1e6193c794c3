import { InvalidDataError, sentence } from '../../core/errors.js';
import { nameText } from '../../core/foreignText.js';
import { formatNumber, percentOf } from '../../core/format.js';
import { groupBy } from '../../core/groupBy.js';
import { noteMark, textTable, wrapText } from '../../core/summaryText.js';
import type { Interval } from '../../intervals/interval.js';
import type { ClinicalResults } from './clinicalResults.js';

interface Nouns {
  readonly rows: string;
  readonly patients: string;
}

type ValueName = Exclude<keyof ClinicalResults, 'counts'>;
type Style = readonly [write: (value: number) => string, unit: string];

/** A value above 0 is never shown as 0. */
function grouped(value: number): string {
  if (value >= 1e15 || (value > 0 && value < 1e-4)) return String(Number(value.toPrecision(3)));
  return value.toLocaleString('en-US', value < 100 ? { maximumSignificantDigits: 3 } : { maximumFractionDigits: 1 });
}

/** One decimal; a share that is not 0 or 1 is not rounded to it. */
const percent = (share: number) => {
  const text = (100 * share).toFixed(1);
  if (text === '0.0') return share === 0 ? '0' : '<0.1';
  return text === '100.0' ? (share === 1 ? '100' : '>99.9') : text;
};

const significant = (value: number) => {
  const size = Math.abs(value);
  if (size >= 1e7 || (size > 0 && size < 1e-4)) return value.toExponential(1);
  return value.toLocaleString('en-US', { minimumSignificantDigits: 3, maximumSignificantDigits: 3 });
};

const SHARE: Style = [percent, ' %'];
const INDEX: Style = [formatNumber, ''];
const NUMBER: Style = [significant, ''];

const SECTIONS: readonly (readonly [heading: string, lines: readonly (readonly [ValueName, string, Style])[]])[] = [
  [
    'Predicted labels',
    [
      ['sensitivity', 'Sensitivity', SHARE],
      ['specificity', 'Specificity', SHARE],
      ['ppv', 'Positive predictive value (PPV)', SHARE],
      ['npv', 'Negative predictive value (NPV)', SHARE],
      ['accuracy', 'Accuracy', SHARE],
      ['balancedAccuracy', 'Balanced accuracy', SHARE],
      ['youden', "Youden's J", INDEX],
      ['f1', 'F1 score', INDEX],
      ['mcc', 'Matthews correlation', INDEX],
      ['kappa', "Cohen's kappa", INDEX],
    ],
  ],
  [
    'Likelihood and odds ratios',
    [
      ['lrPositive', 'Positive likelihood ratio', NUMBER],
      ['lrNegative', 'Negative likelihood ratio', NUMBER],
      ['diagnosticOddsRatio', 'Diagnostic odds ratio', NUMBER],
    ],
  ],
  [
    'Numbers needed',
    [
      ['nnt', 'NNT', NUMBER],
      ['nns', 'NNS (to screen)', NUMBER],
      ['numberNeededToDiagnose', 'NND (to diagnose)', NUMBER],
      ['numberNeededToPredict', 'NNP (to predict)', NUMBER],
    ],
  ],
  [
    'Predicted probabilities',
    [
      ['rocAuc', 'Area under the ROC curve', INDEX],
      ['averagePrecision', 'Average precision', INDEX],
      ['brier', 'Brier score', INDEX],
      ['calibrationIntercept', 'Calibration intercept', INDEX],
      ['calibrationSlope', 'Calibration slope', INDEX],
    ],
  ],
];

const METHODS: Readonly<Record<string, string>> = {
  wilson: 'Wilson score (Wilson 1927)',
  clopper_pearson: 'Clopper-Pearson (Clopper & Pearson 1934)',
  ratio_estimator: 'Ratio estimator over patients, logit scale (Genders 2012)',
  korn_graubard: 'Clopper-Pearson for the effective sample size (Korn & Graubard 1998)',
  mercaldo: 'Logit of the predictive value (Mercaldo 2007)',
  mover: 'Variance recovery from both limits (MOVER; Newcombe 1998, Zou & Donner 2008)',
  log: 'Log method (Simel 1991)',
  woolf: 'Log odds (Woolf 1955)',
  delta: 'Delta method with influence functions (Binder 1983)',
  bootstrap: 'Bootstrap (Efron & Tibshirani 1993)',
  delong: 'DeLong (1988)',
  obuchowski: 'DeLong with placements summed per patient (Obuchowski 1997)',
  wald: 'Wald, logistic regression',
  analytic: 'Variance between patients by influence functions',
  oof_bootstrap: 'Bootstrap of the out-of-fold predictions (Field & Welsh 2007)',
  corrected_t: 'Corrected t over folds (Nadeau & Bengio 2003)',
  cvauc: 'Influence curve of the mean AUC of folds (LeDell 2015)',
  nested_cv: 'Nested cross-validation (Bates 2024)',
  sandwich: 'Logistic regression with robust variance (Liang & Zeger 1986)',
};

export function resultsSection(metrics: ClinicalResults, nouns: Nouns): string {
  checkResults(metrics);
  const { prevalence } = metrics;
  const notes: string[] = [];
  const level = percentOf(prevalence.level);
  const values = SECTIONS.map(([heading, lines]) => [
    [heading],
    ...lines.map(([name, label, style]) => [`  ${label}`, ...cells(metrics[name], style, notes)]),
  ]);
  return [
    ...opening(metrics, nouns, level),
    '',
    textTable(crossTable(metrics), { numbers: true }),
    '',
    textTable([['', 'Estimate', `${level} CI`], ...values.flat()], { numbers: true }),
    ...notes.map((note, at) => (at === 0 ? '\n' : '') + wrapText(note, `  ${noteMark(at)}  `)),
    '',
    ...methodLines(metrics),
  ].join('\n');
}

function checkResults(metrics: unknown): void {
  const { counts, prevalence, ...results } = (metrics ?? {}) as Record<string, unknown>;
  const { tp, fp, fn, tn, n, rows, patients } = (counts ?? {}) as Record<string, unknown>;
  const isCounted = [tp, fp, fn, tn, n, rows, patients ?? 0].every(Number.isFinite);
  const all = [prevalence, ...SECTIONS.flatMap(([, lines]) => lines.map(([name]) => results[name]))];
  if (isCounted && all.every(isInterval)) return;
  throw new InvalidDataError(sentence('The first argument of formatReport', 'be what `calculateAll` gives', metrics));
}

function isInterval(value: unknown): boolean {
  const { estimate, lower, upper, level, note = '', reason = '' } = (value ?? {}) as Record<string, unknown>;
  const numbers = [estimate, lower, upper].every((each) => each === null || Number.isFinite(each));
  return numbers && Number.isFinite(level) && typeof note === 'string' && typeof reason === 'string';
}

function about(metrics: ClinicalResults, unit: string): string {
  const intervals = SECTIONS.flatMap(([, lines]) => lines.map(([name]) => metrics[name]));
  const trained = intervals.filter(({ lower, estimand }) => lower !== null && estimand === 'procedure');
  const aboutPredictions = `the predictions as given: they do not say how a model of another training set would perform.`;
  if (trained.length === 0) return `Intervals treat ${unit} as independent and ${aboutPredictions}`;
  const methods = [...new Set(trained.map(({ method }) => METHODS[method] ?? method))].join(', ');
  return `Intervals treat ${unit} as independent. Those by ${methods} are about the training procedure on new ${unit}; all others take ${aboutPredictions}`;
}

function opening(metrics: ClinicalResults, nouns: Nouns, level: string): string[] {
  const { counts, prevalence } = metrics;
  const { tp, fn, n, rows, patients } = counts;
  const tested = `${grouped(rows)} ${nameText(nouns.rows)}`;
  const weighted = n === rows ? '' : ` (sum of weights ${grouped(n)})`;
  const who = patients === null ? tested : `${grouped(patients)} ${nameText(nouns.patients)}, ${tested}`;
  const positive = `${grouped(tp + fn)} of ${grouped(n)} positive`;
  const limits =
    prevalence.lower === null || prevalence.upper === null
      ? ''
      : `, ${level} CI ${percent(prevalence.lower)} to ${percent(prevalence.upper)} %`;
  const unit = nameText(patients === null ? nouns.rows : nouns.patients);
  return [
    wrapText(`Diagnostic accuracy: ${who}${weighted}`, ''),
    wrapText(`${positive} (prevalence ${percent(prevalence.estimate ?? 0)} %${limits}). ${about(metrics, unit)}`, ''),
  ];
}

const crossTable = ({ counts: { tp, fp, fn, tn, n } }: ClinicalResults) => [
  ['', 'predicted positive', 'predicted negative', 'total'],
  ...[
    ['truly positive', tp, fn, tp + fn] as const,
    ['truly negative', fp, tn, fp + tn] as const,
    ['total', tp + fp, fn + tn, n] as const,
  ].map(([name, ...numbers]) => [name, ...numbers.map(grouped)]),
];

function cells({ estimate, lower, upper, note, reason }: Interval, [write, unit]: Style, notes: string[]): string[] {
  const limits =
    lower === null ? '—' : upper === null ? `from ${write(lower)}${unit}` : `${write(lower)} to ${write(upper)}${unit}`;
  const texts = [...sentences(note), ...(reason ? [`No ${estimate === null ? 'value' : 'interval'}: ${reason}.`] : [])];
  const marks = texts.map((text) => {
    if (!notes.includes(text)) notes.push(text);
    return noteMark(notes.indexOf(text));
  });
  return [estimate === null ? '—' : write(estimate) + unit, limits, marks.sort().join(',')];
}

const sentences = (note = '') => (note === '' ? [] : note.split(/(?<=\.) (?=[A-Z])/));

function methodLines(metrics: ClinicalResults): string[] {
  const labels = [['prevalence', 'Prevalence'] as const, ...SECTIONS.flatMap(([, lines]) => lines)];
  const shown = labels.filter(([name]) => metrics[name].lower !== null);
  if (shown.length === 0) return ['  No value has an interval.'];
  const lines = Array.from(
    groupBy(shown, ([name]) => metrics[name].method),
    ([method, values]) => wrapText(`${METHODS[method] ?? method}: ${values.map(inSentence).join(', ')}.`, '    '),
  );
  return ['  Methods of the intervals', ...lines];
}

function inSentence([, label]: readonly [string, string, ...unknown[]]): string {
  const plain = label.split(' (', 1)[0];
  return KEPT.test(plain) ? plain : plain[0].toLowerCase() + plain.slice(1);
}

/** Names of people and abbreviations keep their capitals. */
const KEPT = /^(Youden|Matthews|Cohen|Brier|F1|NN)/;
