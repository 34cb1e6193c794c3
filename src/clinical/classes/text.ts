import { nameText } from '../../core/foreignText.js';
import { formatNumber } from '../../core/format.js';
import { textTable, wrapText } from '../../core/summaryText.js';
import type { Label } from '../../data/labels.js';
import type { Interval } from '../../intervals/interval.js';
import type { ClassReport } from '../classReport.js';
import { type MeasureName, measures } from './measures.js';

const HEADINGS: Record<MeasureName, string> = {
  sensitivity: 'sensitivity',
  specificity: 'specificity',
  ppv: 'PPV',
  npv: 'NPV',
  f1: 'F1',
};

const labelText = (label: Label) => nameText(String(label), 30);

/** The confusion matrix, then the values of each class and their averages, then why some are missing. */
export function classText({ classes, matrix, perClass, macro, micro, accuracy }: Omit<ClassReport, 'summary'>): string {
  const names = Object.keys(measures) as MeasureName[];
  const { level, unit, nUnits } = accuracy;
  const missing = new Map<string, string>();
  const cell = ({ estimate, lower, upper, reason }: Interval) => {
    if (reason !== undefined && !missing.has(reason))
      missing.set(reason, String.fromCharCode(97 + (missing.size % 26)));
    const limits = lower === null || upper === null ? '' : ` [${formatNumber(lower)}, ${formatNumber(upper)}]`;
    return `${formatNumber(estimate)}${limits}${reason === undefined ? '' : ` ${missing.get(reason)}`}`;
  };
  const line = (name: string, values: Record<MeasureName, Interval>) => [
    name,
    ...names.map((each) => cell(values[each])),
  ];
  const count = (value: number) => String(Number(value.toFixed(2)));
  return [
    textTable(
      [
        ['truth \\ predicted', ...classes.map(labelText), 'total'],
        ...perClass.map(({ label, support }, code) => [labelText(label), ...[...matrix[code], support].map(count)]),
        ['total', ...perClass.map(({ predicted }) => count(predicted))],
      ],
      { numbers: true },
    ),
    '',
    textTable([
      ['class', ...names.map((name) => HEADINGS[name])],
      ...perClass.map((each) => line(labelText(each.label), each)),
      line('macro', macro),
      line('micro', micro),
      ['accuracy', cell(accuracy)],
    ]),
    ...(missing.size > 0 ? [''] : []),
    ...Array.from(missing, ([reason, mark]) => wrapText(reason, `  ${mark}  `)),
    '',
    wrapText(
      `${Number((100 * level).toFixed(2))} % intervals, one by one; independent: ${nUnits} ${unit}s. Predictions are taken as given.`,
    ),
  ].join('\n');
}
