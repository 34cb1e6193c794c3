/** `cvkit split`: folds as JSON. */
import { InvalidOptionError, phrase, sentence } from '../../core/errors.js';
import type { Label } from '../../data/labels.js';
import { foldsOf } from '../../splitters/foldsOf.js';
import { foldsToJSON } from '../../splitters/foldsToJSON.js';
import { foldsFor, sidesOfTable } from '../folds.js';
import type { Work } from '../program.js';
import { tableWithTarget } from '../table.js';

export const splitCommand: Work = async ([file], flags, output) => {
  await output.checkPlaces([file]);
  const { ids } = flags;
  const format = flags.for as 'cvkit' | 'sklearn' | 'nnunet';
  if (ids !== undefined && format !== 'nnunet') {
    const got = phrase(`--for ${format}, whose file has no cases`);
    throw new InvalidOptionError(sentence('--ids of `cvkit split`', 'come with --for nnunet', got), {
      code: 'idle_option',
    });
  }
  // The column of cases is read as ids are, in a reading of its own.
  const cases =
    typeof ids === 'string' ? (await tableWithTarget('split', file, { ...flags, groups: ids })).groups : null;
  const table = await tableWithTarget('split', file, flags);
  if (format === 'nnunet' && !cases && !table.groups) {
    const way = 'Pass --ids COLUMN.';
    throw new InvalidOptionError(sentence('Folds for nnunet', 'name the case of each row', phrase('no ids'), way));
  }
  const folds = foldsOf(await foldsFor('split', table, flags), table.info.rows, table.y, sidesOfTable(table));
  output.say(folds.design);
  const of = (cases ?? table.groups) as ArrayLike<Label>;
  await output.result(foldsToJSON(folds, format === 'nnunet' ? { format, ids: of } : { format }));
  return 0;
};
