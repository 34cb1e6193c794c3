import { InvalidOptionError, phrase, sentence } from '../core/errors.js';
import { counted } from '../core/format.js';
import { rejectUnusedOption } from '../core/options.js';
import { patientsOf, type SideData } from '../data/sideData.js';
import { type Declared, INPUT_OF } from './checkOptions.js';

interface Described extends Declared {
  readonly folds: { readonly n: number };
  readonly data: SideData;
  readonly spatialThreshold?: number | undefined;
}

/** Throws {@link InvalidOptionError} where the data contradict what the author declares of them. */
export function checkDeclared(owner: string, { folds: { n }, data, spatialThreshold, ...declared }: Described): void {
  if (spatialThreshold !== undefined && !data.coordinates) {
    rejectUnusedOption(owner, 'spatialThreshold', 'no `coordinates` were given');
  }
  const subject = (name: string) => `The \`${name}\` option of ${owner}`;
  for (const type of declared.notApplicable) {
    const input = INPUT_OF[type];
    if (data[input] === undefined || Object.keys(data[input]).length === 0) continue;
    const text = `'${type}' beside \`${input}\``;
    const must = 'name no check whose input is given';
    throw new InvalidOptionError(sentence(subject('notApplicable'), must, phrase(text)));
  }
  const patients = declared.independentRows ? patientsOf(data, n) : undefined;
  if (patients && patients.count < n) {
    const text = `true, with ${counted(patients.count, 'patient')} in ${counted(n, 'row')}`;
    throw new InvalidOptionError(sentence(subject('independentRows'), 'be false where patients repeat', phrase(text)));
  }
}
