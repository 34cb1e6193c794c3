import { InvalidOptionError, sentence } from '../core/errors.js';
import { type Label, type Labels, listed } from './labels.js';

const KNOWN_PAIRS: [negative: string, positive: string][] = [
  ['no', 'yes'],
  ['neg', 'pos'],
  ['negative', 'positive'],
  ['benign', 'malignant'],
  ['control', 'case'],
  ['healthy', 'disease'],
  ['normal', 'abnormal'],
  ['alive', 'dead'],
];

/** `positiveLabel`, else `true`, the larger number, or the positive one of a known pair of words; else an error. */
export function positiveCode(classes: readonly Label[], positiveLabel?: Label): number {
  if (positiveLabel !== undefined) {
    const code = classes.indexOf(positiveLabel);
    if (code >= 0) return code;
    const subject = 'The `positiveLabel` option';
    throw new InvalidOptionError(sentence(subject, `be one of the classes ${listed(classes)}`, positiveLabel));
  }
  const known = knownPositive(classes);
  if (known !== undefined) return known;
  throw new InvalidOptionError(
    `The \`positiveLabel\` option must say which of the classes ${listed(classes)} is the positive one. Got nothing.`,
    { code: 'positive_label' },
  );
}

/** The same labels, which know their positive class; rows taken from them know it too. */
export const withPositive = (y: Labels, positive: number): Labels => ({
  ...y,
  positive,
  take: (indices) => withPositive(y.take(indices), positive),
});

/** The positive class where the labels know it, else what their values tell; undefined where they do not. */
export const positiveOf = ({ classes, positive }: Pick<Labels, 'classes' | 'positive'>): number | undefined =>
  positive ?? knownPositive(classes);

export const oneColumnCode = (labels: Pick<Labels, 'classes' | 'positive'>): number =>
  positiveOf(labels) ?? labels.classes.length - 1;

function knownPositive(classes: readonly Label[]): number | undefined {
  if (typeof classes[0] !== 'string') return classes.length - 1;
  const words = classes.map((value) => String(value).toLowerCase());
  for (const [negative, positive] of KNOWN_PAIRS) {
    if (words.length === 2 && words.includes(negative) && words.includes(positive)) return words.indexOf(positive);
  }
  return undefined;
}
