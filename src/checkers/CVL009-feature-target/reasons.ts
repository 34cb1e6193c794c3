/** What CVL009 says of the features that it found. */
import { nameText } from '../../core/foreignText.js';
import { counted, wholeNumber, wholePercent } from '../../core/format.js';
import { columnRanks } from '../features/columnRanks.js';
import type { Column } from '../features/columns.js';
import { saysId } from '../features/suspects.js';
import { AREA } from './association.js';
import type { FeatureScreens, ScreenedFeature } from './featureScreens.js';
import { guiltyOf, type ProxyFeature } from './proxyScreens.js';

/** Words for a category by its code: its name, or `level 3 of 40 ...` where that is not to be printed. */
export type LevelText = (column: Column) => (code: number) => string;

/** A value of a feature with more of them may be the number of a person where nobody said who the patients are. */
const FEW_VALUES = 12;

/** A category that is not printed. */
const HIDDEN = /^level \d+ of \d+/;

/** Of each status three features are named, and so many of sibling columns. */
const NAMED = 3;

/** `feature 3`, with the reason, and `feature 7`; and what could be wrong with the accusation. */
export function accusation(
  shown: readonly ScreenedFeature[],
  { features, unit }: Pick<FeatureScreens, 'features' | 'unit'>,
  threshold: number,
  levelText: LevelText,
): string {
  const names = shown.slice(1, NAMED).map(({ name }) => `, ${named(name)}`);
  const more = shown.length > NAMED ? ` and ${wholeNumber(shown.length - NAMED)} more` : '';
  const [give, have] = shown.length === 1 ? ['gives', 'has a value that tells'] : ['give', 'have values that tell'];
  const what = shown.every(({ proxy, proof }) => proxy && !proof)
    ? `${have} a class of y`
    : `${give} y ${shown[0].proof ? 'away' : 'almost away'}`;
  const reason = reasonOf(shown[0], unit, threshold, levelText);
  const doubt = shown.some(({ proxy }) => proxy)
    ? ' It may be a consequence of the outcome (known only after it), or a true sign of it: when is it recorded?'
    : '';
  return `${wholeNumber(shown.length)} of ${counted(features, 'feature')} ${what}: ${named(shown[0].name)} (${reason})${names.join('')}${more}.${doubt}${ofImages(shown)}`;
}

const ofImages = (shown: readonly ScreenedFeature[]) =>
  shown.some(({ ofImage }) => ofImage)
    ? ' Whole images differ by class: in how they were taken (device, site, crop, marker), or by the disease itself?'
    : '';

export const named = (feature: string) => `\`${nameText(feature)}\``;

/** What was looked at together with a column: ` and its 3 sibling columns`. */
export const withSiblings = ({ siblings }: { readonly siblings?: number }) =>
  siblings ? ` and its ${counted(siblings - 1, 'sibling column')}` : '';

function reasonOf(
  look: ScreenedFeature,
  unit: FeatureScreens['unit'],
  threshold: number,
  levelText: LevelText,
): string {
  const { kind, score, copy, known, target, proof, proxy, siblings, ofImage, ofLevels } = look;
  if (proxy) return proxyReason(proxy, unit, levelText);
  const what = target ? `class ${nameText(String(target))}` : 'y';
  const one = `it${withSiblings(look)}`;
  if (copy) {
    const from = kind === 'missingness' ? 'from whether it is missing' : `from ${one}`;
    const how = copy.close ? ' closely' : '';
    const share = known < 1 ? ` with a value, ${percent(known)} of all rows` : '';
    const turns = kind === 'non_monotone' ? ', not monotone' : '';
    return `${what} follows ${from}${how} in ${wholeNumber(copy.rows - copy.errors)} of ${counted(copy.rows, 'row')}${share}${turns}`;
  }
  if (kind === 'auc') {
    return `AUC ${score.toFixed(4)}, lower 99 % bound above ${String(ofImage ? AREA.image : AREA.feature).slice(1)}`;
  }
  const size = `${ofLevels ? 'correlation ratio' : 'correlation'} ${score.toFixed(4)}`;
  return `${size}${siblings ? ` of ${one}` : ''}, ${proof ? '' : 'lower 99 % bound '}above ${threshold}`;
}

/** `its value 1 goes with y = 1 in 54 of 54 rows, 60 % of that class`. */
function proxyReason(proxy: ProxyFeature, unit: FeatureScreens['unit'], levelText: LevelText): string {
  const { inClass, units, covers, implied } = proxy;
  const all = counted(Math.round(units), unit);
  return `${levelsOf(proxy, levelText)} with ${implied} in ${wholeNumber(Math.round(inClass))} of ${all}, ${percent(covers)} of that class`;
}

function levelsOf({ by, values, distinct, siblings, column }: ProxyFeature, levelText: LevelText): string {
  if (by === 'known') return 'having a value goes';
  if (by === 'missing') return 'being missing goes';
  if (siblings) {
    const of = counted(siblings.length, 'sibling column');
    const guilty = guiltyOf({ siblings, values }).map(({ name }) => `\`${nameText(name)}\``);
    const names = guilty.length > NAMED ? `${guilty.slice(0, NAMED).join(', ')} ...` : guilty.join(', ');
    if (values.includes(siblings.length)) return `no 1 in any of ${of}${names && `, or a 1 in ${names},`} goes`;
    if (guilty.length === 1) return `a 1 in it, one of ${of}, goes`;
    return `a 1 in ${guilty.length} of ${of}, ${names}, goes`;
  }
  const what = column.kind === 'category' ? 'level' : 'value';
  if (values.length > 1) return `${values.length} of its ${distinct} ${what}s go`;
  if (column.kind === 'number') return `${numberText(column, by, values[0], distinct)} goes`;
  const text = levelText(column)(values[0]);
  if (by === 'other') return `any level but ${HIDDEN.test(text) ? 'the commonest' : text} goes`;
  return HIDDEN.test(text) ? `its ${text} goes` : `its level ${text} goes`;
}

/** A number that was worked out of an image, with what it is. */
function imageText({ name }: Column, value: number): string {
  const own = name.slice(name.lastIndexOf('.') + 1);
  if (own === 'border')
    return `${wholePercent(value)}, the share of the image that is lines of one value at its sides,`;
  if (own === 'burnt-in pixels') return `${value}, the pixels near its sides that have its largest value,`;
  return `${Number(value.toPrecision(3))}`;
}

/** The number, or where it lies: the number of a patient is not printed. */
function numberText(column: Column, by: ProxyFeature['by'], value: number, distinct: number): string {
  const text = column.ofImage ? imageText(column, value) : `${Number(value.toPrecision(6))}`;
  const shown = distinct <= FEW_VALUES && !saysId(column.name) ? text : undefined;
  if (by === 'other') return `any value but ${shown ?? 'the commonest'}`;
  if (shown !== undefined) return `its value ${shown}`;
  const { order } = columnRanks(column);
  const [low, high] = [order[0], order[order.length - 1]].map((row) => column.values[row]);
  return value === low ? 'its lowest value' : value === high ? 'its highest value' : 'one of its values';
}

export const percent = (share: number) => `${Number((100 * share).toPrecision(3))} %`;

/** So many classes are named where levels of a larger share of each would be found. */
const CLASSES = 3;

/** What a level must cover of each class to be found, for a finding that found nothing. */
export function levelLimit({ proxies: { looks, detectable }, unit }: Pick<FeatureScreens, 'proxies' | 'unit'>): string {
  if (looks === 0) return '';
  const [can, cannot] = [true, false].map((is) => detectable.filter(({ share }) => share <= 1 === is));
  if (can.length === 0) return ' A value that implies a class is not detectable among so few.';
  const parts = can.slice(0, CLASSES).map((each) => {
    const percents = Math.ceil(100 * each.share - 1e-9);
    return `${percents <= 21 ? 'a fifth' : `${percents} %`} of ${each.implied} (${counted(each.units, unit)})`;
  });
  const more = can.length > CLASSES ? `; of ${can.length - CLASSES} more classes it must cover as much or more` : '';
  const none =
    cannot.length === 0
      ? ''
      : `; one that implies ${cannot.length > CLASSES ? `one of ${cannot.length} other classes` : cannot.map(({ implied }) => implied).join(' or ')} would not be found`;
  return ` A value that implies a class without an exception would be found if it covered ${parts.join(' or ')}${more}${none}.`;
}
