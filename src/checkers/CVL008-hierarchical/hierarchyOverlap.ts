import { nameText } from '../../core/foreignText.js';
import { counted, wholeNumber } from '../../core/format.js';
import { rowNumbers } from '../../data/labels.js';
import type { SideData } from '../../data/sideData.js';
import { type Check, type CheckResult, passed, undecided } from '../check.js';
import type { CheckInput } from '../checkInput.js';
import { countedLevel, type HierarchyLevel, hierarchyLevels, pluralOf } from '../features/levels.js';
import { openQuestion, SITE_SIGNS } from '../openQuestion.js';
import {
  bothSides,
  inFolds,
  keepPatientsWhole,
  lookedAt,
  type Overlap,
  overlapOf,
  type SplitExample,
  splitEvidence,
} from '../overlap.js';
import { answered } from '../singleCheck.js';
import type { HierarchicalLeakage } from './idsOnBothSides.js';

/** What CVL008 counted. */
export type HierarchyDetails = {
  readonly levels: readonly {
    readonly level: string;
    readonly ids: number;
    readonly onBothSides: number;
    /** Ids of the level that several patients have, or patients with several ids of it. */
    readonly crossing: number;
  }[];
  /** Units of the levels that must be whole that are on both sides; the most test rows that one level has of them. */
  readonly split: number;
  readonly splitRows: number;
  readonly testRows: number;
  readonly folds: number | readonly string[];
  readonly examples?: readonly SplitExample[];
};

/**
 * CVL008: the levels of the hierarchy that the design keeps whole are whole. Exact, over every fold. Under `deployment`
 * these are all levels; else the patients, what lies within them, and the level that the splitter claims to keep. Without
 * patients nobody can say which level a fold may share.
 *
 * Source: Roberts et al. 2017, Ecography 40:913 (blocks by the structure of the data); Zech et al. 2018, PLoS Medicine
 * 15:e1002683 (models that know the hospital).
 */
export const hierarchyOverlap: Check<HierarchyDetails> = {
  code: 'CVL008',
  type: 'hierarchical',
  kind: 'leakage',
  cost: 'fast',
  page: 'docs/checks/CVL008.md',
  description: 'A unit of the hierarchy that the design keeps whole (visit, patient, site) is on both sides of a fold.',
  needs: ['hierarchy'],
  whenMissing: (input) => openQuestion('hierarchical', input, SITE_SIGNS),
  assess(input) {
    const { folds } = input;
    const data = withOwnPatients(input);
    const levels = hierarchyLevels(data, folds.n).map(
      (level): LevelOverlap => ({ ...level, overlap: overlapOf(folds, level.codes, level.count) }),
    );
    const assessed = levels.filter((level) => isBound(input, level) && !level.same);
    const [unknown, known] = [assessed.filter(isUnknown), assessed.filter((level) => !isUnknown(level))];
    const broken = assessed.filter(isSplit).sort((a, b) => a.count - b.count);
    const shared = levels.filter((level) => isSplit(level) && level.place === 'above' && !isBound(input, level));
    const evidence = {
      levels: levels.map(({ name, count, crossing, overlap: { split } }) => ({
        level: name,
        ids: count,
        onBothSides: split.length,
        crossing,
      })),
      split: broken.reduce((sum, each) => sum + each.overlap.split.length, 0),
      splitRows: broken.reduce((most, each) => Math.max(most, each.overlap.testRows), 0),
      testRows: Array.from(folds.sides()).reduce((sum, { test }) => sum + test.length, 0),
      folds: folds.length,
    };
    const notes = [
      ...shared.map(describeShared),
      ...levels.flatMap(missingIn),
      ...levels.flatMap(notesOn),
      ...rightOrder(levels),
      ...(levels.some(({ place }) => place === 'patient')
        ? []
        : ['Whether patients are whole is not known: pass `patientIds`.']),
    ];
    if (assessed.length === 0) {
      const fix = `Pass \`patientIds\`, the patient of each row, or call the level of the patients \`patient\`, or say \`independentRows: true\`. To ask that every level be whole, pass \`design: 'deployment'\`.`;
      const message = `It is not known which rows belong to the same patient, and several patients may share an id of ${eitherOf(levels)}.`;
      return undecided(message, fix, evidence);
    }
    if (broken.length === 0) {
      const sizes = known.map(({ name, count }) => countedLevel(count, name));
      const whole = `No ${eitherOf(known)} is ${bothSides(input)} ${lookedAt(sizes, input)}.`;
      const found = [...(known.length > 0 ? [whole] : []), ...notes].join(' ');
      const crossed = levels.find(({ place, crossing, restarts }) => place === 'within' && crossing > 0 && !restarts);
      if (crossed) {
        const fix = `A ${crossed.name} is of one patient: correct its id, or give its patients one id.`;
        return { status: 'needs_review', severity: 'medium', message: found, evidence, fix };
      }
      if (unknown.length === 0) return passed(found, evidence);
      const each = eitherOf(unknown);
      return undecided(
        `Whether each ${each} is whole is not known. ${found}`,
        `Pass the ${each} of each row.`,
        evidence,
      );
    }
    const [{ name, place, count, ids, overlap }] = broken;
    const is = broken.length === 1 && overlap.split.length === 1 ? 'is' : 'are';
    const what = `${broken.map(partOf).join(' and ')} ${is} ${bothSides(input)}${inFolds(overlap.folds.length, input)}.`;
    return {
      status: 'failed',
      severity: place === 'patient' || place === 'within' ? 'critical' : 'high',
      fold: overlap.folds[0],
      message: [capital(what), ...notes].join(' '),
      evidence: { ...evidence, ...splitEvidence(overlap, input, ids, name) },
      concerns: overlap.concerns,
      fix:
        count === 1
          ? `Add rows of another ${name} to test on: with one, no fold can leave it out.`
          : name === 'patient'
            ? keepPatientsWhole(input)
            : `Keep each ${name} whole: HierarchicalGroupKFold({ hierarchyLevel: '${name}' }).`,
    };
  },
};

const withOwnPatients = ({ data, folds, independentRows }: CheckInput): SideData =>
  independentRows && !data.groups ? { ...data, groups: rowNumbers(folds.n) } : data;

interface LevelOverlap extends HierarchyLevel {
  readonly overlap: Overlap;
}

const isSplit = ({ overlap }: LevelOverlap) => overlap.split.length > 0;

/** Most rows have no id. What lies within whole patients is whole all the same. */
const isUnknown = (level: LevelOverlap) =>
  2 * missing(level) > level.codes.length && (level.place !== 'within' || level.unclear);

const missing = ({ codes }: HierarchyLevel) => codes.filter((code) => code < 0).length;

/** `290 of 300 rows have no site.` */
function missingIn(level: HierarchyLevel): string[] {
  const without = missing(level);
  if (without === 0) return [];
  const rows = `${wholeNumber(without)} of ${counted(level.codes.length, 'row')}`;
  return [`${rows} ${without === 1 ? 'has' : 'have'} no ${level.name}.`];
}

function isBound({ design, folds }: CheckInput, { name, place, unclear }: HierarchyLevel): boolean {
  if (design === 'deployment') return true;
  return name === nameText(folds.claims.wholeLevel ?? '') || place === 'patient' || (place === 'within' && !unclear);
}

/** `3 of 20 patients`, `the only scanner`. */
const partOf = ({ name, count, overlap }: LevelOverlap): string =>
  count === 1 ? `the only ${name}` : `${wholeNumber(overlap.split.length)} of ${countedLevel(count, name)}`;

function eitherOf(levels: readonly LevelOverlap[]): string {
  const names = levels.map(({ name }) => name);
  return [names.slice(0, -1).join(', '), ...names.slice(-1)].filter(Boolean).join(' or ');
}

function describeShared(shared: LevelOverlap): string {
  const { name, count, codes } = shared;
  const which = codes.includes(-1) ? `All rows with a ${name}` : 'All rows';
  if (count === 1) return `${which} are from one ${name}: the score is about new patients of this ${name} alone.`;
  const split = shared.overlap.split.length;
  const units = split === count ? `All ${countedLevel(count, name)}` : partOf(shared);
  return `${units} ${split === 1 ? 'is' : 'are'} on both sides: the score is about new patients of these ${pluralOf(name)}; pass \`design: 'deployment'\` to ask that each ${name} be whole.`;
}

function notesOn({ name, place, crossing, restarts }: HierarchyLevel): string[] {
  if (restarts) return [`Patients share the ids of ${name}, which were read within each patient.`];
  if (crossing === 0) return [];
  if (place === 'above')
    return [`${counted(crossing, 'patient')} ${crossing === 1 ? 'has' : 'have'} several ids of ${name}.`];
  return [`${countedLevel(crossing, name)} ${crossing === 1 ? 'has' : 'have'} several patients.`];
}

/** Where misplaced levels belong: `site before patient before visit`. */
function rightOrder(levels: readonly HierarchyLevel[]): string[] {
  if (!levels.some(({ misplaced }) => misplaced)) return [];
  const order = levels
    .filter(({ misplaced, place }) => misplaced || place === 'patient')
    .sort((a, b) => a.count - b.count);
  const names = ['above', 'patient', 'within'].flatMap((where) =>
    order.filter(({ place }) => place === where).map(({ name }) => name),
  );
  return [`List the outermost level of \`hierarchy\` first: ${names.join(' before ')}.`];
}

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

/**
 * As `checkHierarchicalLeakage` answers; `overlapping` are the examples of the evidence, levels above the patients are
 * parents.
 */
export function hierarchicalOf(result: CheckResult<HierarchyDetails>): CheckResult & HierarchicalLeakage {
  const { split = 0, splitRows = 0, testRows, examples = [] } = result.evidence;
  // An open question has columns for examples, which are no ids.
  const ids = (result.status === 'failed' ? examples : []).flatMap(({ fold, train, test, ...levels }) =>
    Object.values(levels).map(String),
  );
  const above = result.severity === 'high';
  return {
    ...answered(result, { count: split, share: splitRows, of: testRows, threshold: null }),
    overlapping: { groups: above ? [] : ids, parents: above ? ids : [] },
  };
}
