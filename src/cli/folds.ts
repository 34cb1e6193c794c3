/** Folds of a table without a model: those that `cvkit run` would take with the same options. */
import { InvalidOptionError, phrase, sentence } from '../core/errors.js';
import { labelsOf } from '../data/labels.js';
import type { TableData } from '../node/table/readTable.js';
import { foldsFromJSON } from '../splitters/foldsFromJSON.js';
import { type Splitter, seeded } from '../splitters/splitter.js';
import { defaultMethod } from '../validator/designTable.js';
import { splitterOf } from '../validator/methods.js';
import { validatorOptions } from '../validator/validatorOptions.js';
import { definedOf, type StudyFlags } from './flags.js';
import { jsonIn } from './ownFiles.js';

type Sides = Pick<TableData, 'y' | 'groups' | 'timestamps' | 'labelEndTimes' | 'coordinates' | 'hierarchy'>;

export function splitterFor({ y, groups }: Sides, { method, cv, seed, task }: StudyFlags): Splitter {
  const parsed = validatorOptions.parse(definedOf({ method, nSplits: cv, randomState: seed }));
  const repeats = groups !== undefined && new Set(groups).size < y.length;
  const { options, written } = parsed;
  const chosen = written.has('method')
    ? options.method
    : defaultMethod(labelsOf(y, definedOf({ task })).task, repeats, false).method;
  return seeded(splitterOf(chosen, parsed), options.randomState ?? 42);
}

/** Folds of `--folds`; undefined without it. Two ways to make folds are one too many. */
export async function foldsNamed(
  command: string,
  { folds, cv, method }: StudyFlags,
  cases: readonly string[] | undefined,
): Promise<Splitter | undefined> {
  if (folds === undefined) return undefined;
  if (cv === undefined && method === undefined) return foldsOfFile(folds, cases);
  const must = 'be called with --folds, or with --cv and --method';
  throw new InvalidOptionError(sentence(`\`cvkit ${command}\``, must, phrase('both')));
}

/** What stands beside the rows, as splitters and checks take it. */
export const sidesOfTable = ({ groups, timestamps, labelEndTimes, coordinates, hierarchy }: Sides) =>
  definedOf({ groups, timestamps, labelEndTimes, coordinates, hierarchy });

/** @param cases of the rows, for files of nnU-Net, which name them */
async function foldsOfFile(file: string, cases: readonly string[] | undefined): Promise<Splitter> {
  const folds = await jsonIn(file);
  const isOfCases = Array.isArray(folds) && folds.some((fold) => Object(fold).val !== undefined);
  return foldsFromJSON(folds as object, isOfCases && cases ? { ids: cases } : {});
}
