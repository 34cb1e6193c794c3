import { counted } from '../../core/format.js';
import { type Check, passed } from '../check.js';
import type { CheckInput } from '../checkInput.js';
import { countedLevel, type Level, levelsOf, pluralOf } from '../hierarchy/levels.js';
import { type Overlap, overlapOf, tornExamples } from '../overlap.js';

/**
 * CVL008: the levels of the hierarchy that the design keeps whole are whole. Exact, over every fold. Under `deployment`
 * these are all levels; else the patients, what lies within them, and the level that the splitter says it keeps. Without
 * patients it is the innermost level.
 *
 * Source: Roberts et al. 2017, Ecography 40:913 (blocks by the structure of the data); Zech et al. 2018, PLoS Medicine
 * 15:e1002683 (models that know the hospital).
 */
export const hierarchyOverlap: Check = {
  code: 'CVL008',
  type: 'hierarchical',
  kind: 'leakage',
  description: 'A unit of the hierarchy that the design keeps whole (visit, patient, site) is on both sides of a fold.',
  needs: ['hierarchy'],
  judge(input) {
    const { folds, data } = input;
    const levels = levelsOf(data, folds.n).map((level) => ({
      level,
      overlap: overlapOf(folds, level.codes, level.count),
      whole: false,
    }));
    const bound = boundLevels(
      input,
      levels.map(({ level }) => level),
    );
    const judged = levels.filter(({ level }) => bound.has(level));
    const broken = judged.filter(isTorn).sort((a, b) => a.level.count - b.level.count);
    const shared = levels.filter((each) => isTorn(each) && !bound.has(each.level));
    const evidence = {
      levels: levels.map(({ level, overlap }) => ({
        level: level.name,
        ids: level.count,
        onBothSides: overlap.torn.length,
        crossing: level.crossing,
      })),
      folds: broken[0]?.overlap.folds.slice(0, 10) ?? folds.length,
    };
    const notes = [
      ...shared.map(describeShared),
      ...levels.flatMap(({ level }) => crossingOf(level)),
      ...unnamed(levels),
    ];
    if (broken.length === 0) {
      const names = judged.map(({ level }) => `no ${level.name}`).join(' and ');
      const counts = [
        ...judged.map(({ level }) => countedLevel(level.count, level.name)),
        counted(folds.length, 'fold'),
      ];
      const message = `${capital(names)} is on both sides of a fold (${counts.join(', ')}).`;
      return passed([message, ...notes].join(' '), evidence);
    }
    const [{ level, overlap }] = broken;
    const counts = broken.map(
      (each) => `${each.overlap.torn.length} of ${countedLevel(each.level.count, each.level.name)}`,
    );
    const is = broken.length === 1 && overlap.torn.length === 1 ? 'is' : 'are';
    const where = `in ${overlap.folds.length} of ${counted(folds.length, 'fold')}`;
    return {
      status: 'failed',
      severity: level.place === 'above' ? 'high' : 'critical',
      fold: overlap.folds[0],
      message: [`${counts.join(' and ')} ${is} on both sides of a fold, ${where}.`, ...notes].join(' '),
      evidence: { ...evidence, examples: tornExamples(overlap, input, level.ids, level.name) },
      fix: `Keep each ${level.name} whole: HierarchicalGroupKFold({ hierarchyLevel: '${level.name}' }).`,
    };
  },
};

interface Looked {
  readonly level: Level;
  readonly overlap: Overlap;
}

const isTorn = ({ overlap }: Looked) => overlap.torn.length > 0;

/** The levels that must be whole. */
function boundLevels({ design, folds }: CheckInput, levels: readonly Level[]): Set<Level> {
  if (design === 'deployment') return new Set(levels);
  const [, kept] = /(?:hierarchyL|\bl)evel: '([^']*)'/.exec(folds.design) ?? [];
  const unit = levels.filter(({ place }) => place === 'patient' || place === 'within');
  return new Set([...levels.filter(({ name }) => name === kept), ...(unit.length > 0 ? unit : levels.slice(-1))]);
}

function describeShared({ level: { name, count }, overlap }: Looked): string {
  const torn = overlap.torn.length;
  const which =
    torn === count
      ? count === 1
        ? `The 1 ${name} is`
        : `All ${countedLevel(count, name)} are`
      : `${torn} of ${countedLevel(count, name)} are`;
  return `${which} on both sides: the score speaks of new patients of these ${pluralOf(name)}; pass \`design: 'deployment'\` to ask that each ${name} be whole.`;
}

function crossingOf({ name, place, crossing, restarts }: Level): string[] {
  if (restarts) return [`The ids of ${name} start anew in each patient and were read within it.`];
  if (crossing === 0) return [];
  if (place === 'above')
    return [`${counted(crossing, 'patient')} ${crossing === 1 ? 'has' : 'have'} several ids of ${name}.`];
  return [`${countedLevel(crossing, name)} ${crossing === 1 ? 'has' : 'have'} several patients.`];
}

const unnamed = (levels: readonly Looked[]): string[] =>
  levels.length > 1 && levels.every(({ level }) => level.place === 'unplaced')
    ? ['No level is called `patient` and no `groups` were given, so the innermost level was taken for the unit.']
    : [];

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
