/** CVL001, ids of patients as they are given: some of them may be one, and one of them may be many. */
import { GroupKFold } from 'cvkit';

const whole = (random, count) => Math.floor(random.random() * count);
const list = (length, make) => Array.from({ length }, (_, at) => make(at));
const PATIENTS = 60;
const ROWS = 4 * PATIENTS;

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const text = (random, length, signs) => list(length, () => signs[whole(random, signs.length)]).join('');
const hex = (random, length) => text(random, length, '0123456789abcdef');
const wide = (id) => id.replace(/[!-~]/g, (sign) => String.fromCharCode(sign.charCodeAt(0) + 0xfee0));

/** Ids of all rows, by patient. */
const byPatient = (idOf) => (random) => {
  const ids = list(PATIENTS, (patient) => idOf(patient, random));
  return list(ROWS, (row) => ids[row % PATIENTS]);
};
/** In the later rows five patients have another id. */
const spoiled = (idOf, other) => (random) =>
  byPatient(idOf)(random).map((id, row) => (row >= PATIENTS && row % PATIENTS < 5 ? other(id) : id));
/** Eight patients share one id. */
const shared = (id, idOf) => (random) => byPatient((patient) => (patient < 8 ? id : idOf(patient)))(random);

const numbered = (patient) => `P${patient + 1}`;
const slashed = (patient) => `12/${300 + patient}`;
const occasion = (early, late) => () =>
  list(ROWS, (row) => (row < PATIENTS ? early : late).replace('*', String(row % PATIENTS)));

const PLANTED = {
  'ids beyond 2^53': byPatient((patient) => 1e17 + 16 * patient),
  'ids of 9 digits in floats of 32 bits': byPatient((_, random) => Math.fround(1e8 + whole(random, 9e8))),
  'long ids as a spreadsheet shortens them': byPatient((_, random) => `${(1 + 9 * random.random()).toFixed(5)}E+17`),
  ...Object.fromEntries(
    ['unknown', 'n/a', 'NULL', '?', 'Missing'].map((id) => [`eight patients called ${id}`, shared(id, numbered)]),
  ),
  'eight patients called 0': shared(0, (patient) => patient),
  'eight patients called -1': shared(-1, (patient) => patient),
  'eight patients called 999': shared(999, (patient) => patient),
  'a sign, P-7 and P7': spoiled(numbered, (id) => id.replace('P', 'P-')),
  'case and blanks, p7 and P7': spoiled(numbered, (id) => `${id.toLowerCase()} `),
  'another sign, 12/345 and 12_345': spoiled(slashed, (id) => id.replace('/', '_')),
  'leading zeros': spoiled(numbered, (id) => id.replace('P', 'P00')),
  'blanks of no width': spoiled(numbered, (id) => `${id}\u200b`),
  'full width': spoiled(numbered, wide),
  'a prefix, SITE1-7 and 7': spoiled(String, (id) => `SITE1-${id}`),
  'baseline and followup': occasion('baseline_*', 'followup_*'),
  'visits at the end': occasion('S*_v1', 'S*_v2'),
  sessions: occasion('sub-*_ses-01', 'sub-*_ses-02'),
};

const CLEAN = {
  'numbers from 0': byPatient((patient) => patient),
  'long numbers': byPatient((_, random) => 1e7 + whole(random, 9e7)),
  'P1 to P60': byPatient(numbered),
  'S01-001 and so on': byPatient((patient) => `S0${1 + (patient % 4)}-${String(patient).padStart(3, '0')}`),
  '12/345': byPatient(slashed),
  'two sites that number alike': byPatient((patient) => `${'AB'[patient % 2]}-${patient >> 1}`),
  'three sites by name': byPatient((patient) => `${['york', 'kiel', 'lyon'][patient % 3]}_${(patient / 3) | 0}`),
  '1-10 and 11-0': byPatient((patient) => `${1 + (patient % 12)}-${(patient / 12) | 0}`),
  UUIDs: byPatient((_, random) => [8, 4, 4, 4, 12].map((length) => hex(random, length)).join('-')),
  hashes: byPatient((_, random) => hex(random, 16)),
  'short base64': byPatient((_, random) => text(random, 3, `${LETTERS}0123456789-_`)),
  'two letters in any case': (random) => {
    const ids = new Set();
    while (ids.size < PATIENTS) ids.add(text(random, 2, LETTERS));
    return byPatient((patient) => [...ids][patient])(random);
  },
  decimals: byPatient((_, random) => random.random()),
  '64-bit integers': byPatient((patient) => 2n ** 60n + BigInt(patient)),
  'names and numbers': byPatient(
    (patient, random) => `${['Ann', 'Bo', 'Cleo'][whole(random, 3)]} ${['Lee', 'McCoy'][whole(random, 2)]} ${patient}`,
  ),
  'rows of any number': (random) => list(ROWS, () => Math.floor(PATIENTS * random.random() ** 2)),
};

const scenarios = (kind, kinds) =>
  Object.entries(kinds).map(([effect, groupsOf]) => ({
    id: `ids-${effect}`,
    check: 'CVL001',
    kind,
    n: ROWS,
    effect,
    ...(kind === 'clean' ? { corpus: effect } : {}),
    make: (random) => ({
      X: list(ROWS, () => [random.random(), random.random()]),
      y: list(ROWS, (row) => row % 2),
      groups: groupsOf(random),
      cv: new GroupKFold({ nSplits: 5, shuffle: true, randomState: whole(random, 2 ** 31) }),
    }),
  }));

export const givenIds = [...scenarios('planted', PLANTED), ...scenarios('clean', CLEAN)];
