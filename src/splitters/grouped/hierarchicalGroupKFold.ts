import { Components } from '../../core/components.js';
import { InfeasibleSplitError, invalidData, sentence, show } from '../../core/errors.js';
import { nameText } from '../../core/foreignText.js';
import { counted } from '../../core/format.js';
import { boolean, type InputOf, oneOf, optionTable, string } from '../../core/options.js';
import { type RandomSource, randomSource } from '../../core/random.js';
import { gather, rowNumbers } from '../../data/labels.js';
import { type Groups, groupsOf, type SideData } from '../../data/sideData.js';
import { foldsFromAssignment } from '../assignment.js';
import { defineSplitter, kFoldOptions } from '../defineSplitter.js';
import { offenderText } from '../foldChecks.js';
import { requireCount } from '../splitInput.js';
import type { Folds } from '../splitter.js';
import { assignGroups } from './groupPlacement.js';

const options = optionTable('HierarchicalGroupKFold', {
  ...kFoldOptions(boolean().default(true).describe('Draw at random which units go where; rows stay balanced.')),
  hierarchyLevel: string().default('patient').describe('The level of `hierarchy` whose ids stay whole.'),
  onCrossing: oneOf('merge', 'error')
    .default('merge')
    .describe('Ids of the level that share an id of an inner level are kept together, or refused.'),
});

export type HierarchicalGroupKFoldOptions = InputOf<typeof options>;

/**
 * K folds that keep whole the ids of one level of a hierarchy and of every level below it, with rows balanced as by
 * `GroupKFold`; levels above may be on both sides. `hierarchy` lists the levels outermost first, for example `{ site,
 * patient, visit, image }`.
 *
 * Ids that share anything below them, directly or through others, are one unit (connected components): a patient seen
 * at two sites joins the sites when `hierarchyLevel` is `'site'`, and a warning says so; `onCrossing: 'error'` refuses
 * such data. Numbers that start again in each patient (visit 1, 2, 3) would join all patients, which is an error: make
 * the ids unique ('A-1', 'A-2'), or leave the level out. `groups` alone are the ids of the level; with `hierarchy` they
 * stay whole as one more inner level.
 *
 * Throws `InvalidDataError` without `hierarchy` and `groups`, for an unknown level and a missing id;
 * `InfeasibleSplitError` when there are fewer units than folds.
 *
 * @example
 * const splitter = new HierarchicalGroupKFold({ hierarchyLevel: 'site', randomState: 42 });
 * for (const { train, test } of splitter.split(X, y, { hierarchy: { site, patient, image } })) { ... }
 */
export class HierarchicalGroupKFold extends defineSplitter({
  options,
  facts: {
    family: 'grouped',
    description: 'K folds of whole units of one level (site, patient, visit); everything inside them stays whole too.',
    needs: [],
    needsOneOf: ['hierarchy', 'groups'],
    claims: { partition: true, disjointGroups: true },
  },
  claims: ({ hierarchyLevel }, claims) => ({ ...claims, wholeLevel: hierarchyLevel }),
  plan({ n, data }, { nSplits, shuffle, randomState, hierarchyLevel: level, onCrossing }) {
    const source = shuffle ? randomSource(randomState) : undefined;
    return levelFolds(data, n, { owner: options.owner, level, onCrossing, nSplits }, source);
  },
})<HierarchicalGroupKFoldOptions> {}

interface LevelDesign {
  readonly owner: string;
  readonly level: string;
  readonly onCrossing: 'merge' | 'error';
  readonly nSplits: number;
}

export function levelFolds(data: SideData, n: number, design: LevelDesign, source: RandomSource | undefined): Folds {
  const { codes, count, warnings } = unitsOf(data, n, design);
  const foldOf = gather(assignGroups({ codes, count }, design.nSplits, source), codes);
  return foldsFromAssignment(foldOf, design.nSplits, warnings);
}

interface Level extends Groups {
  readonly name: string;
}

const MAX_NAMED = 5;

/** Ids of the level that share an id of an inner level (or a group), directly or through others, are one unit. */
function unitsOf(data: SideData, n: number, design: LevelDesign) {
  const { owner, level, onCrossing, nSplits } = design;
  const [outer, ...inner] = levelsFrom(data, n, design);
  requireCount(owner, nSplits, outer.count, `${level} ids`);
  const components = new Components(outer.count);
  const shared = inner.flatMap((each) => joinShared(components, outer.codes, each) ?? []);
  if (shared.length === 0) return { ...outer, warnings: [] };
  const proof = `${shared.map(({ ids, rows }) => `${ids} (of ${rows})`).join(' and ')} under several ${level} ids`;
  if (onCrossing === 'error') {
    const must = `keep each id of an inner level under one ${level}, as \`onCrossing\` is 'error'`;
    throw invalidData('crossing_levels', `The hierarchy of ${owner}`, must, proof);
  }
  const { codes: unitOf, sizes } = components.codes();
  const count = sizes.length;
  if (count < nSplits) {
    const most = `${count} (${outer.count} ${level} ids; ${proof})`;
    const must = `be at most the number of ${level} units that share nothing, ${most}`;
    const way = 'List the outermost level first, or make those ids unique.';
    throw new InfeasibleSplitError(sentence(`The \`nSplits\` option of ${owner}`, must, nSplits, way));
  }
  const why = `${shared.map(({ ids }) => ids).join(' and ')} under several of them`;
  const joined = `${owner} joined ${outer.count} ${level} ids to ${count} units that stay together: ${why}.`;
  return { codes: gather(unitOf, outer.codes), count, warnings: [joined] };
}

/** `groups` come last; alone they stand for the split level. */
function levelsFrom({ hierarchy, groups }: SideData, n: number, { owner, level }: LevelDesign): Level[] {
  const below = groups === undefined ? [] : [{ name: 'group', ...groupsOf(groups, n) }];
  if (hierarchy === undefined) return below;
  const names = Object.keys(hierarchy);
  const at = names.indexOf(level);
  if (at < 0) {
    const text = names.length === 0 ? 'no level' : `the levels ${names.map((name) => nameText(name)).join(', ')}`;
    throw invalidData('unknown_level', `The hierarchy of ${owner}`, `have the level ${show(level)}`, text);
  }
  const levels = names.slice(at).map((name) => ({ name, ...groupsOf(hierarchy[name], n, `hierarchy.${name}`) }));
  return [...levels, ...below];
}

/** Joins ids of the split level under which one id of this level occurs; says how many, and rows, as ids may be names. */
function joinShared(components: Components, outer: Int32Array, { name, ...inner }: Level) {
  const first = new Int32Array(inner.count).fill(-1);
  const shared = new Uint8Array(inner.count);
  for (let row = 0; row < outer.length; row++) {
    const id = inner.codes[row];
    if (first[id] < 0) first[id] = outer[row];
    else if (first[id] !== outer[row]) {
      components.join(first[id], outer[row]);
      shared[id] = 1;
    }
  }
  const ids = rowNumbers(inner.count).filter((id) => shared[id]);
  if (ids.length === 0) return undefined;
  const places = Array.from(ids.subarray(0, MAX_NAMED), (id) => inner.codes.indexOf(id));
  const rows = offenderText('row', places);
  return { ids: counted(ids.length, `${nameText(name)} id`), rows: ids.length > MAX_NAMED ? `${rows}, ...` : rows };
}
