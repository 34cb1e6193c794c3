import { nameText } from '../../core/foreignText.js';
import { counted } from '../../core/format.js';
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
import { levelTexts } from '../features/levelTexts.js';
import { EXAMPLES } from '../overlap.js';
import { answered, type SingleCheck } from '../singleCheck.js';
import { type FeatureScreens, type Strength, screenFeatures } from './featureScreens.js';
import { chanceOfNone, unitsNeeded } from './nullModel.js';
import { accusation, type LevelText, levelLimit, named, percent, withSiblings } from './reasons.js';

/** A feature that gives y away. */
export interface TargetFeature {
  readonly name: string;
  /** Share of the rows that follow, or that are of the class which a level implies, the area under the ROC curve, or the size of the correlation. */
  readonly score: number;
  readonly kind: 'monotone' | 'non_monotone' | 'missingness' | 'auc' | 'correlation' | 'level';
}

/** The strongest features that the evidence lists. */
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

/** Features are screened once, however often an input is assessed. */
const screens = new WeakMap<object, FeatureScreens>();

/** The finding of {@link featureTarget} with all features concerned, strongest evidence first. */
export async function assessFeatureTarget(
  input: Pick<CheckInput, 'y' | 'data' | 'features' | 'featureThreshold'>,
  textsOfLevels = async (): Promise<LevelText> => numbered,
): Promise<{ readonly finding: Finding<FeatureTargetDetails>; readonly features: readonly TargetFeature[] }> {
  const { columns } = await input.features();
  const { y } = input;
  if (!y || y.shape) return { finding: notApplicable('y is no single value per row.'), features: [] };
  const threshold = input.featureThreshold;
  const decides = threshold !== featureThresholdOption.defaultValue;
  const looks = screens.get(input) ?? screenFeatures(columns, y, input.data, { threshold, decides });
  screens.set(input, looks);
  const features = looks.found.map(({ name, score, kind }): TargetFeature => ({ name, score, kind }));
  const ofLevels = looks.found.some(({ proxy }) => proxy?.column.kind === 'category');
  const levelText = ofLevels ? await textsOfLevels() : numbered;
  return { finding: findingOf(looks, threshold, levelText), features };
}

/** Levels as nobody can be told by them: for a table without the rest of a run. */
const numbered: LevelText =
  ({ levels = [] }) =>
  (code) =>
    `level ${code + 1} of ${levels.length}`;

function findingOf(looks: FeatureScreens, threshold: number, levelText: LevelText): Finding<FeatureTargetDetails> {
  const { found, features, unit, units, share, largest } = looks;
  const evidence = {
    features,
    [`${unit}s`]: units,
    strongest: looks.strongest.slice(0, STRONGEST),
  };
  if (found.length > 0) return accused(looks, threshold, levelText, evidence);
  const size = counted(units, unit);
  if (looks.tests === 0) {
    return undecided(
      'There is nothing to compare: y or all features have one value.',
      'Pass features and y that vary.',
    );
  }
  if (!looks.detectable) {
    const message = `A copy of y among ${counted(features, 'feature')} is not detectable with ${size}.`;
    return notDetectable(message, `Use more ${unit}s.`, evidence);
  }
  const [best] = looks.strongest;
  const strength = best ? `; the strongest is ${named(best.feature)}${withSiblings(best)} (${scoreText(best)})` : '';
  const needed = share === undefined ? 0 : unitsNeeded(share);
  const limit = needed > units ? ` A continuous copy of y is detectable from ${counted(needed, unit)} on.` : '';
  // Silence about a feature without an error would be a pass that nobody can give.
  if (needed > units && share !== undefined && best?.auc === 1) {
    return undecided(
      `${named(best.feature)}${withSiblings(best)} ${best.siblings ? 'tell' : 'tells'} ${best.class === undefined ? 'y' : `class ${nameText(best.class)}`} without an error, and it cannot be said whether it is a copy of y: among ${size} a real predictor of AUC .98 does so by luck in ${percent(chanceOfNone(units, share))} of the cases.${limit}`,
      'Find out whether it is known before the outcome is; leave it out if not.',
      evidence,
    );
  }
  const linear = largest
    ? ` No correlation with y is above ${threshold}; the largest is ${largest.r.toFixed(3)} (${named(largest.feature)}).`
    : '';
  const message = `Among ${size}, none of ${counted(features, 'feature')} gives y away${strength}.${linear}${limit}${levelLimit(looks)}`;
  return passed(message, evidence);
}

const scoreText = ({ auc, r }: { readonly auc?: number; readonly r?: number }) =>
  auc === undefined ? `r ${(r as number).toFixed(3)}` : `AUC ${auc.toFixed(3)}`;

function accused(
  looks: FeatureScreens,
  threshold: number,
  levelText: LevelText,
  evidence: FeatureTargetDetails,
): Finding<FeatureTargetDetails> {
  const { found, features } = looks;
  const proofs = found.filter(({ proof }) => proof);
  const failed = proofs.length > 0;
  const shown = failed ? proofs : found;
  return {
    status: failed ? 'failed' : 'needs_review',
    severity: failed ? 'critical' : 'medium',
    message: accusation(shown, looks, threshold, levelText),
    evidence: {
      ...evidence,
      found: found.length,
      examples: found.slice(0, EXAMPLES).map(({ name, kind, score, copy, known, target, proxy, siblings }) => ({
        feature: name,
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

export interface FeatureTargetLeakage extends SingleCheck {
  /** Features that give the label away, or almost: the strongest evidence first. */
  readonly features: readonly TargetFeature[];
}

/** A result on folds as `checkFeatureTargetLeakage` answers it, with all features that were found. */
export const featureTargetOf = (
  result: CheckResult<FeatureTargetDetails>,
  features: readonly TargetFeature[],
  threshold: number,
): CheckResult & FeatureTargetLeakage => ({
  ...answered(result, { count: features.length, of: result.evidence.features, threshold }),
  features,
});
