/** Folds of a table without a model: those that `cvkit run` would take with the same options. */
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

/** What stands beside the rows, as splitters and checks take it. */
export const sidesOfTable = ({ groups, timestamps, labelEndTimes, coordinates, hierarchy }: Sides) =>
  definedOf({ groups, timestamps, labelEndTimes, coordinates, hierarchy });

/** @param cases of the rows, for files of nnU-Net, which name them */
export async function foldsOfFile(file: string, cases: readonly string[] | undefined): Promise<Splitter> {
  const folds = await jsonIn(file);
  const isOfCases = Array.isArray(folds) && folds.some((fold) => Object(fold).val !== undefined);
  return foldsFromJSON(folds as object, isOfCases && cases ? { ids: cases } : {});
}
