/** Folds of a table without a model: those that `cvkit run` would take with the same options. */
import { InvalidOptionError, phrase, sentence } from '../core/errors.js';
import { labelsOf } from '../data/labels.js';
import { foldsFromJSON } from '../splitters/foldsFromJSON.js';
import { type Splitter, seeded } from '../splitters/splitter.js';
import { defaultMethod } from '../validator/designTable.js';
import { splitterOf } from '../validator/methods.js';
import { recommendCv } from '../validator/recommendCv.js';
import { validatorOptions } from '../validator/validatorOptions.js';
import { definedOf, type StudyFlags } from './flags.js';
import { jsonIn } from './ownFiles.js';
import type { OutcomeTable } from './table.js';

type Sides = Pick<OutcomeTable, 'y' | 'groups' | 'timestamps' | 'labelEndTimes' | 'coordinates' | 'hierarchy'>;

function splitterFor({ y, groups }: Sides, { method, cv, seed, task }: StudyFlags): Splitter {
  const parsed = validatorOptions.parse(definedOf({ method, nSplits: cv, randomState: seed }));
  const repeats = groups !== undefined && new Set(groups).size < groups.length;
  const { options, written } = parsed;
  const chosen = written.has('method')
    ? options.method
    : defaultMethod(labelsOf(y, definedOf({ task })).task, repeats, false).method;
  return seeded(splitterOf(chosen, parsed), seedFlag({ seed }));
}

/** `--seed`, or that of `validate`. */
export const seedFlag = ({ seed }: StudyFlags): number =>
  validatorOptions.resolve(definedOf({ randomState: seed })).randomState as number;

/** The method whose folds {@link recommendCv} makes. */
export const RECOMMENDED = 'recommended';

/** Folds that `validate` does not make: those of a file, and recommended ones. */
export async function foldsNamed(
  command: string,
  table: OutcomeTable,
  flags: StudyFlags,
): Promise<Splitter | undefined> {
  const { folds, cv, method, design, seed, task } = flags;
  const refuse = (must: string, got: string) => {
    throw new InvalidOptionError(sentence(`\`cvkit ${command}\``, must, phrase(got)), { code: 'idle_option' });
  };
  const isRecommended = method === RECOMMENDED;
  if (design !== undefined && !isRecommended)
    refuse(`be called with --method ${RECOMMENDED} and --design`, 'no such method');
  if (isRecommended && cv !== undefined) refuse(`be called with --cv or with --method ${RECOMMENDED}`, 'both');
  if (folds === undefined) {
    if (!isRecommended) return undefined;
    const { X, y, positiveLabel } = table;
    const options = definedOf({ design, task, randomState: seed, positiveLabel });
    return (await recommendCv({ X, y, ...sidesOfTable(table), ...options })).splitter;
  }
  if (cv !== undefined || method !== undefined) refuse('be called with --folds, or with --cv and --method', 'both');
  return foldsOfFile(folds, table.groups);
}

/** The folds that a command takes. */
export const foldsFor = async (command: string, table: OutcomeTable, flags: StudyFlags): Promise<Splitter> =>
  (await foldsNamed(command, table, flags)) ?? splitterFor(table, flags);

/** What stands beside the rows, as splitters and checks take it. */
export const sidesOfTable = ({ groups, timestamps, labelEndTimes, coordinates, hierarchy }: Sides) =>
  definedOf({ groups, timestamps, labelEndTimes, coordinates, hierarchy });

/** @param cases of the rows, for files of nnU-Net, which name them */
async function foldsOfFile(file: string, cases: readonly string[] | undefined): Promise<Splitter> {
  const folds = await jsonIn(file);
  const isOfCases = Array.isArray(folds) && folds.some((fold) => Object(fold).val !== undefined);
  return foldsFromJSON(folds as object, isOfCases && cases ? { ids: cases } : {});
}
