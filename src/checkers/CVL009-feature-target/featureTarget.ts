import { nameText } from '../../core/foreignText.js';
import { counted, wholeNumber, wholePercent } from '../../core/format.js';
import { type InputOf, optionTable } from '../../core/options.js';
import { eventLabels } from '../../data/eventLabels.js';
import { featureNamesOption } from '../../data/featureNames.js';
import { type LabelsInput, labelsOf } from '../../data/labels.js';
import { type RowsInput, rowsOf } from '../../data/rows.js';
import { checkLength, checkSideData } from '../../data/sideData.js';
import { runOptions } from '../../runner/runOptions.js';
import { splitDataOptions } from '../../splitters/splitter.js';
import {
  type Check,
  type CheckResult,
  type Finding,
  notApplicable,
  notDetectable,
  passed,
  undecided,
} from '../check.js';
import type { CheckInput } from '../checkInput.js';
import { featureThresholdOption } from '../checkOptions.js';
import { columnRanks } from '../features/columnRanks.js';
import type { Column } from '../features/columns.js';
import { readFeatures } from '../features/features.js';
import { saysHowTaken } from '../features/images/frame.js';
import { levelTexts } from '../features/levelTexts.js';
import { saysId } from '../features/suspects.js';
import { EXAMPLES } from '../overlap.js';
import { answered, type SingleCheck, singleCheck } from '../singleCheck.js';
import { IMAGE_AREA } from './association.js';
import { unitsForCopy } from './classCopies.js';
import { type FeatureScreens, type ScreenedFeature, type Strength, screenFeatures } from './featureScreens.js';
import { impliedLevels, type ProxyFeature } from './proxyScreens.js';
import { FOLLOW_UP } from './targets.js';

/** A feature that gives y away. */
export interface TargetFeature {
  readonly name: string;
  /** Share of the rows that follow, or that are of the class which a level implies, the area under the ROC curve, or the size of the correlation. */
  readonly score: number;
  readonly kind: 'monotone' | 'non_monotone' | 'missingness' | 'auc' | 'correlation' | 'level' | 'time';
}

const STRONGEST = 10;

/** What CVL009 looked at and found. */
export type FeatureTargetDetails = {
  readonly features: number;
  /** Of what the data have: patients, or rows. */
  readonly patients?: number;
  readonly rows?: number;
  readonly strongest: readonly Strength[];
  /** Features that give y away, or almost. */
  readonly found?: number;
  readonly examples?: readonly {
    readonly feature: string;
    readonly kind: TargetFeature['kind'];
    readonly score: number;
    readonly class?: string;
    readonly rows?: number;
    readonly errors?: number;
    /** Share of the rows that have a value. */
    readonly known?: number;
    /** Patients (rows) at levels that imply a class, those of the class among them, and which share of the class they are. */
    readonly units?: number;
    readonly inClass?: number;
    readonly covers?: number;
    /** Number of dummies that were looked at as one category. */
    readonly siblings?: number;
  }[];
};

/**
 * CVL009: no feature gives y away. Being significant, or strong, is no fault of a feature: it fails only where y follows
 * from it in all but 1 % of the rows, and is to be looked at where it is almost too good, known in few rows, or has levels
 * that imply a class.
 *
 * Source: Kaufman et al. 2012, ACM TKDD 6(4):15 (leakage of the target).
 */
export const featureTarget: Check<FeatureTargetDetails> = {
  code: 'CVL009',
  type: 'feature_target',
  kind: 'leakage',
  cost: 'slow',
  page: 'docs/checks/CVL009.md',
  description: 'A feature, or its being missing, gives y away.',
  needs: ['X', 'y'],
  assess: async (input) => (await assessFeatureTarget(input, () => levelTexts(input))).finding,
};

export async function assessFeatureTarget(
  input: Pick<CheckInput, 'y' | 'followUp' | 'data' | 'features' | 'featureThreshold'>,
  textsOfLevels = async (): Promise<LevelText> => numbered,
): Promise<{ readonly finding: Finding<FeatureTargetDetails>; readonly features: readonly TargetFeature[] }> {
  const { columns } = await input.features();
  const { y, followUp } = input;
  if (!y || y.shape) return { finding: notApplicable('y is no single value per row.'), features: [] };
  const threshold = input.featureThreshold;
  const ownThreshold = threshold !== featureThresholdOption.defaultValue;
  const screened = await screenFeatures(columns, y, input.data, { threshold, ownThreshold, followUp });
  const features = screened.found.map(({ column, score, kind }): TargetFeature => ({ name: column.name, score, kind }));
  const ofLevels = screened.found.some(({ proxy }) => proxy?.column.kind === 'category');
  const levelText = ofLevels ? await textsOfLevels() : numbered;
  return { finding: findingOf(screened, threshold, levelText), features };
}

/** Levels by number alone: for a table without the rest of a run. */
const numbered: LevelText =
  ({ levels = [] }) =>
  (code) =>
    `level ${code + 1} of ${levels.length}`;

function findingOf(screened: FeatureScreens, threshold: number, levelText: LevelText): Finding<FeatureTargetDetails> {
  const { found, features, unit, units, share, largest } = screened;
  const evidence = {
    features,
    [`${unit}s`]: units,
    strongest: screened.strongest.slice(0, STRONGEST),
  };
  if (found.length > 0) return accused(screened, threshold, levelText, evidence);
  const size = counted(units, unit);
  if (screened.nTests === 0) {
    return undecided(
      'There is nothing to compare: y or all features have one value.',
      'Pass features and y that vary.',
    );
  }
  if (!screened.detectable) {
    const message = `A copy of y among ${counted(features, 'feature')} is not detectable with ${size}.`;
    return notDetectable(message, `Use more ${unit}s.`, evidence);
  }
  const [best] = screened.strongest;
  const strength = best ? `strongest: ${named(best.feature)}${withSiblings(best)}, ${scoreText(best)}; ` : '';
  const needed = share === undefined ? 0 : unitsForCopy(share);
  const limit = needed > units ? ` Continuous copies of y are detectable from ${counted(needed, unit)}.` : '';
  // Silence about a feature without an error would be a pass that nobody can give.
  if (needed > units && share !== undefined && best?.auc === 1) {
    const whole = best.class === undefined ? 'y' : `class ${nameText(best.class)}`;
    return undecided(
      `${named(best.feature)}${withSiblings(best)} ${best.siblings ? 'separate' : 'separates'} ${whole} without an error, which a strong predictor may do by chance among ${size}.${limit}`,
      'Find out whether it is known before the outcome is; leave it out if not.',
      evidence,
    );
  }
  const linear = largest
    ? ` No correlation with y is above ${threshold}; the largest is ${largest.r.toFixed(3)} (${named(largest.feature)}).`
    : '';
  return passed(`No feature reveals y (${strength}${size}).${linear}${limit}${levelLimit(screened)}`, evidence);
}

const scoreText = ({ auc, r }: { readonly auc?: number; readonly r?: number }) =>
  auc === undefined ? `r ${(r as number).toFixed(3)}` : `AUC ${auc.toFixed(3)}`;

function accused(
  screened: FeatureScreens,
  threshold: number,
  levelText: LevelText,
  evidence: FeatureTargetDetails,
): Finding<FeatureTargetDetails> {
  const { found, features } = screened;
  const proofs = found.filter(({ proof }) => proof);
  const failed = proofs.length > 0;
  const shown = failed ? proofs : found;
  return {
    status: failed ? 'failed' : 'needs_review',
    severity: failed ? 'critical' : 'medium',
    message: accusation(shown, screened, threshold, levelText),
    evidence: {
      ...evidence,
      found: found.length,
      examples: found.slice(0, EXAMPLES).map(({ column, kind, score, copy, known, target, proxy, siblings }) => ({
        feature: column.name,
        kind,
        score,
        ...(target ? { class: target } : {}),
        ...(copy ? { rows: copy.rows, errors: copy.errors, ...(known < 1 ? { known } : {}) } : {}),
        ...(proxy ? { class: proxy.implied, units: proxy.units, inClass: proxy.inClass, covers: proxy.covers } : {}),
        ...(siblings ? { siblings } : {}),
      })),
    },
    concerns: { count: shown.length, of: features, unit: 'feature' },
    fix: failed
      ? 'Leave out what is recorded with or after the outcome, or made from it.'
      : 'Find out whether it is known before the outcome is; leave it out if not.',
  };
}

/** Features that tell the label too well. */
export interface FeatureTargetLeakage extends SingleCheck {
  /** Features that give the label away, or almost: the strongest evidence first. */
  readonly features: readonly TargetFeature[];
}

export const featureTargetOptions = optionTable('checkFeatureTargetLeakage', {
  featureNames: featureNamesOption,
  threshold: featureThresholdOption,
  groups: splitDataOptions.shape.groups,
  task: runOptions.shape.task,
});
export type FeatureTargetOptions = InputOf<typeof featureTargetOptions>;

export async function checkFeatureTargetLeakage(
  X: RowsInput,
  y: LabelsInput,
  input: FeatureTargetOptions,
): Promise<FeatureTargetLeakage> {
  const { threshold, featureNames, groups, task } = featureTargetOptions.resolve(input);
  const rows = rowsOf(X, 'X', featureNames);
  const labels = labelsOf(y, { task });
  checkLength(labels, rows.length, 'y');
  const data = groups ? { groups } : {};
  checkSideData(data, rows.length);
  const all = await readFeatures(rows);
  const { finding, features } = await assessFeatureTarget({
    y: eventLabels(labels),
    ...(labels.task === 'survival' ? { followUp: labels.numbers } : {}),
    data,
    featureThreshold: threshold,
    features: async () => all,
  });
  return { ...singleCheck(finding, { count: features.length, of: all.columns.length, threshold }), features };
}

export const featureTargetOf = (
  result: CheckResult<FeatureTargetDetails>,
  features: readonly TargetFeature[],
  threshold: number,
): CheckResult & FeatureTargetLeakage => ({
  ...answered(result, { count: features.length, of: result.evidence.features, threshold }),
  features,
});

/** Words for a category by its code: its name, or `level 3 of 40 ...` where that is not to be printed. */
type LevelText = (column: Column) => (code: number) => string;

/** A value of a feature with more of them may be the number of a person where nobody said who the patients are. */
const FEW_VALUES = 12;

const HIDDEN = /^level \d+ of \d+/;

const NAMED = 3;

function accusation(
  shown: readonly ScreenedFeature[],
  { features, unit }: Pick<FeatureScreens, 'features' | 'unit'>,
  threshold: number,
  levelText: LevelText,
): string {
  const names = shown.slice(1, NAMED).map(({ column }) => `, ${named(column.name)}`);
  const more = shown.length > NAMED ? ` and ${wholeNumber(shown.length - NAMED)} more` : '';
  const [give, have] = shown.length === 1 ? ['gives', 'has a value that tells'] : ['give', 'have values that tell'];
  const what = shown.every(({ proxy, proof }) => proxy && !proof)
    ? `${have} a class of y`
    : `${give} y ${shown[0].proof ? 'away' : 'almost away'}`;
  const reason = reasonOf(shown[0], unit, threshold, levelText);
  const doubt = shown.some(({ proxy }) => proxy)
    ? ' It may be a consequence of the outcome (known only after it), or a true sign of it: when is it recorded?'
    : '';
  return `${wholeNumber(shown.length)} of ${counted(features, 'feature')} ${what}: ${named(shown[0].column.name)} (${reason})${names.join('')}${more}.${doubt}${ofImages(shown)}`;
}

const ofImages = (shown: readonly ScreenedFeature[]) =>
  shown.some(({ column }) => saysHowTaken(column))
    ? ' Whole images differ by class: in how they were taken (device, site, crop, marker), or by the disease itself?'
    : '';

const named = (feature: string) => `\`${nameText(feature)}\``;

const withSiblings = ({ siblings }: { readonly siblings?: number }) =>
  siblings ? ` and its ${counted(siblings - 1, 'sibling column')}` : '';

function reasonOf(
  finding: ScreenedFeature,
  unit: FeatureScreens['unit'],
  threshold: number,
  levelText: LevelText,
): string {
  const { column, kind, score, copy, known, target, proof, proxy, siblings, same } = finding;
  if (same) return `it is ${FOLLOW_UP} in ${counted(same, 'row')}, ${percent(score)} of all`;
  if (proxy) return proxyReason(proxy, unit, levelText);
  const what = target === FOLLOW_UP ? target : target ? `class ${nameText(String(target))}` : 'y';
  const one = `it${withSiblings(finding)}`;
  if (copy) {
    const from = kind === 'missingness' ? 'from whether it is missing' : `from ${one}`;
    const how = copy.close ? ' closely' : '';
    const share = known < 1 ? ` with a value, ${percent(known)} of all rows` : '';
    const turns = kind === 'non_monotone' ? ', not monotone' : '';
    return `${what} follows ${from}${how} in ${wholeNumber(copy.rows - copy.errors)} of ${counted(copy.rows, 'row')}${share}${turns}`;
  }
  if (kind === 'auc') {
    return `AUC ${score.toFixed(4)}, lower 99 % bound above ${String(IMAGE_AREA).slice(1)}`;
  }
  const size = `${column.kind === 'category' ? 'correlation ratio' : 'correlation'} ${score.toFixed(4)}`;
  return `${size}${siblings ? ` of ${one}` : ''}, ${proof ? '' : 'lower 99 % bound '}above ${threshold}`;
}

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
    const implied = impliedLevels({ siblings, values }).map(({ name }) => `\`${nameText(name)}\``);
    const names = implied.length > NAMED ? `${implied.slice(0, NAMED).join(', ')} ...` : implied.join(', ');
    if (values.includes(siblings.length)) return `no 1 in any of ${of}${names && `, or a 1 in ${names},`} goes`;
    if (implied.length === 1) return `a 1 in it, one of ${of}, goes`;
    return `a 1 in ${implied.length} of ${of}, ${names}, goes`;
  }
  const what = column.kind === 'category' ? 'level' : 'value';
  if (values.length > 1) return `${values.length} of its ${distinct} ${what}s go`;
  if (column.kind === 'number') return `${numberText(column, by, values[0], distinct)} goes`;
  const text = levelText(column)(values[0]);
  if (by === 'other') return `any level but ${HIDDEN.test(text) ? 'the commonest' : text} goes`;
  return HIDDEN.test(text) ? `its ${text} goes` : `its level ${text} goes`;
}

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

const percent = (share: number) => `${Number((100 * share).toPrecision(3))} %`;

const CLASSES = 3;

function levelLimit({ proxies: { nTests, detectable }, unit }: Pick<FeatureScreens, 'proxies' | 'unit'>): string {
  if (nTests === 0) return '';
  const parts = detectable
    .filter(({ share }) => share <= 1)
    .slice(0, CLASSES)
    .map(({ implied, units, share }) => `${Math.ceil(100 * share - 1e-9)} % of ${implied} (${counted(units, unit)})`);
  if (parts.length === 0) return ' A value that implies a class is not detectable among so few.';
  const others = detectable.length - parts.length;
  const more =
    others > 0 ? `; ${counted(others, 'other class', 'other classes')} must be covered more, or cannot be` : '';
  return ` A value that implies a class without an exception is detectable from ${parts.join(' or ')}${more}.`;
}
