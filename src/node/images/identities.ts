/** Patients, levels above and below them, and labels of each row: from the manifest, the names of files, or their tags. */
import { InvalidDataError, phrase, sentence } from '../../core/errors.js';
import { counted } from '../../core/format.js';
import { rejectUnusedOption } from '../../core/options.js';
import { alike, withoutCase } from '../alike.js';
import { AN_IMAGE, type ImageFile, type ImageOptions, type ImageTags } from './imageFile.js';
import type { ListedFile, ManifestEntry } from './listFiles.js';
import { asLabels } from './manifest.js';

/** A file that is read, with what was known of it before. */
export interface KnownFile extends ListedFile {
  readonly image: ImageFile;
}

/** One value per file; the caller repeats them for the rows of each. */
export interface Identities {
  readonly y?: readonly (string | number | boolean)[];
  readonly groups?: readonly string[];
  readonly hierarchy?: Readonly<Record<string, readonly string[]>>;
  readonly warnings: readonly string[];
}

/** @throws {InvalidDataError} for a file without a patient or label where others have one; it names the file, never an id */
export function identitiesOf(files: readonly KnownFile[], options: ImageOptions): Identities {
  const labels = labelsOf(files, options);
  const warnings: string[] = [];
  let patients = level(files, 'group', options.groupsFrom, 'patient');
  if (patients) everyFile(files, patients, 'a patient', 'Give a group in the manifest, or `groupsFrom`.');
  if (patients && !options.groupsFrom && !files.some(({ entry }) => textOf(entry.group))) {
    patients = ofIssuers(files, patients as string[]);
  }
  const all: Partial<Record<'site' | 'study' | 'series', Ids>> = {};
  const found: Record<string, readonly string[]> = {};
  let sites: Ids | undefined;
  for (const name of ['site', 'study', 'series'] as const) {
    const ids = level(files, name, undefined, name);
    if (name === 'site') sites = ids;
    if (ids) all[name] = ids;
    const without = ids?.filter((id) => id === undefined).length ?? 0;
    if (ids && without === 0) found[name] = ids as string[];
    if (without > 0) {
      warnings.push(
        `The hierarchy has no level ${name}: ${counted(without, 'file')} of ${files.length} do not name it.`,
      );
    }
  }
  const alikeSites = sites
    ? alike(
        sites.filter((site) => site !== undefined),
        withoutCase,
      )
    : 0;
  if (alikeSites > 0) {
    const verb = alikeSites === 1 ? 'is' : 'are';
    warnings.push(
      `${counted(alikeSites, 'site')} ${verb} written in several ways (capitals or blanks), and each way counts as a site of its own. A list with \`site\` can name them in one way.`,
    );
  }
  const atSites = patients && acrossSites(files, patients as string[], sites, options);
  const groups = atSites && acrossPatients(files, atSites, all, options);
  if (options.studiesAcrossPatients === 'different') {
    for (const name of ['study', 'series'].filter((each) => found[each])) {
      found[name] = found[name].map((id, at) => JSON.stringify([groups?.[at], id]));
    }
  }
  const { site, study, series } = found;
  const levels = { site, patient: site || study || series ? groups : undefined, study, series };
  const hierarchy = Object.fromEntries(Object.entries(levels).filter(([, ids]) => ids)) as Identities['hierarchy'];
  return {
    ...(labels ? { y: labels } : {}),
    ...(groups ? { groups } : {}),
    ...(Object.keys(hierarchy ?? {}).length > 0 ? { hierarchy } : {}),
    warnings,
  };
}

type Ids = readonly (string | undefined)[];

/** The manifest comes first, then names, then tags. Undefined where no file has any. */
function level(
  files: readonly KnownFile[],
  key: keyof ManifestEntry,
  from: ImageOptions['groupsFrom'],
  tag: keyof ImageTags,
) {
  const given = files.map(({ entry }) => textOf(entry[key]));
  if (from && given.some(Boolean)) rejectUnusedOption('readImages', 'groupsFrom', 'the list names groups');
  const ids: Ids = given.some(Boolean)
    ? given
    : from
      ? files.map(({ name }) => fromName(name, from, 'groupsFrom'))
      : files.map(({ image }) => image.tags?.[tag]);
  return ids.some((id) => id !== undefined) ? ids : undefined;
}

const textOf = (id: unknown) => (id === undefined || id === null || id === '' ? undefined : String(id));

function fromName(name: string, from: RegExp | 'folder', option: string): string {
  if (from === 'folder') {
    const folder = name.split('/').at(-2);
    if (folder) return folder;
    throw noMatch(name, `be in a folder below the one that is read, as ${option}: 'folder' asks`);
  }
  // A copy without memory: `g` and `y` would begin where the last match ended.
  const found = new RegExp(from.source, from.flags.replace(/[gy]/g, '')).exec(name)?.[1];
  if (found) return found;
  throw noMatch(name, `match the expression of ${option}, with its first group`);
}

const noMatch = (file: string, must: string) =>
  new InvalidDataError(sentence(AN_IMAGE, must, phrase('no match')), { code: 'no_match', file });

function everyFile(files: readonly KnownFile[], ids: Ids, what: string, instead: string): void {
  const at = ids.findIndex((id) => id === undefined || id === '');
  if (at < 0) return;
  const message = sentence(AN_IMAGE, `name ${what}, as others do`, phrase('none'), instead);
  throw new InvalidDataError(message, { code: 'missing_group', file: files[at].name });
}

function labelsOf(files: readonly KnownFile[], { labelsFrom }: ImageOptions): Identities['y'] {
  const given = files.map(({ entry }) => entry.y);
  const missing = (label: unknown) => label === undefined || label === null || label === '';
  if (labelsFrom && !given.every(missing)) rejectUnusedOption('readImages', 'labelsFrom', 'the list has labels');
  if (labelsFrom) return asLabels(files.map(({ name }) => fromName(name, labelsFrom, 'labelsFrom')));
  if (given.every(missing)) return undefined;
  const at = given.findIndex(missing);
  if (at < 0) return given as NonNullable<Identities['y']>;
  const message = sentence(AN_IMAGE, 'have a label, as others have', phrase('none'));
  throw new InvalidDataError(message, { code: 'missing_label', file: files[at].name });
}

/** What stands in the place of an id when files are made anonymous, letters and digits alone: for one patient or for all. */
const PLACEHOLDER =
  /^(anon(ym(ous|i[sz]ed)?)?|deidentified|removed|unknown|unk|none|null|na|no|dummy|default|test|0+|9{3,}|x+)?(patient|subject|name|id)?$/;

/** The ids of DICOM, which are of one patient where one issuer gave them (PS3.3 C.2.2). */
function ofIssuers(files: readonly KnownFile[], patients: readonly string[]): string[] {
  const refuse = (must: string, got: string, code: string, at: number) =>
    new InvalidDataError(
      sentence('The patient ids', must, phrase(`${got} (first in \`file\` of this error)`), NAME_THEM),
      { code, file: files[at].name },
    );
  const issuers = new Map<string, Set<string>>();
  const studies = new Map<string, Set<unknown>>();
  for (const [at, id] of patients.entries()) {
    const { issuer, study = at } = files[at].image.tags ?? {};
    issuers.set(id, (issuers.get(id) ?? new Set()).add(issuer ?? ''));
    if (!PLACEHOLDER.test(id.toLowerCase().replace(/[^\p{L}\d]+/gu, ''))) continue;
    studies.set(id, (studies.get(id) ?? new Set()).add(study));
    if ((studies.get(id)?.size ?? 0) < 2) continue;
    throw refuse('name patients', 'a word that stands for any of them, in several studies', 'placeholder_patient', at);
  }
  return patients.map((id, at) => {
    const known = issuers.get(id) as Set<string>;
    if (known.size - Number(known.has('')) < 2) return id;
    const issuer = files[at].image.tags?.issuer;
    if (issuer) return JSON.stringify([issuer, id]);
    throw refuse('name their issuer where several gave the same id', 'one without', 'missing_issuer', at);
  });
}

const NAME_THEM = 'Give `groupsFrom`, or a list with `group`.';

/** A study is of one patient (PS3.3 A.1.2), so that two ids in it are two names of one, or the study has the id of another. */
function acrossPatients(
  files: readonly KnownFile[],
  patients: readonly string[],
  { study, series }: Partial<Record<string, Ids>>,
  { studiesAcrossPatients: answer, groupsFrom }: ImageOptions,
): readonly string[] {
  if (answer && !study && !series) rejectUnusedOption('readImages', 'studiesAcrossPatients', 'no file names its study');
  // By names of files the author says who is who; the checks of a run ask.
  if (answer === 'different' || (groupsFrom && !answer)) return patients;
  const first = new Map<string, number>();
  const joined = new Map<string, string>();
  const nameOf = (patient: string): string => {
    let name = patient;
    for (let next = joined.get(name); next !== undefined; next = joined.get(name)) name = next;
    return name;
  };
  let crossing: [number, number] | undefined;
  for (const [level, ids] of Object.entries({ study, series })) {
    for (const [at, id] of (ids ?? []).entries()) {
      if (id === undefined) continue;
      const before = first.get(`${level} ${id}`);
      if (before === undefined) first.set(`${level} ${id}`, at);
      else if (patients[before] !== patients[at]) {
        crossing ??= [before, at];
        const [a, b] = [nameOf(patients[before]), nameOf(patients[at])];
        if (a !== b) joined.set(b, a);
      }
    }
  }
  if (!crossing || answer === 'same') return patients.map(nameOf);
  const message = sentence(
    'Each study and series',
    'belong to one patient, unless `studiesAcrossPatients` says what it means',
    phrase(`several patient ids in one${AS_IN}`),
    "Write studiesAcrossPatients: 'same' for one patient, 'different' for studies that have the same id.",
  );
  throw ofTwo(files, crossing, new InvalidDataError(message, { code: 'studies_across_patients' }));
}

const AS_IN = ' (as in `file` and `otherFile` of this error)';
const ofTwo = (files: readonly KnownFile[], [here, there]: readonly number[], error: InvalidDataError) =>
  Object.assign(error, { file: files[here].name, otherFile: files[there].name });

/** Hospitals number their patients each for itself, so that one id may be two people. Nobody but the author knows. */
function acrossSites(
  files: readonly KnownFile[],
  patients: readonly string[],
  sites: Ids | undefined,
  options: ImageOptions,
) {
  if (!sites && options.patientsAcrossSites) {
    rejectUnusedOption('readImages', 'patientsAcrossSites', 'no file names its site');
  }
  if (!sites || options.patientsAcrossSites === 'same') return patients;
  const homes = new Map<string, Set<string | undefined>>();
  for (const [at, patient] of patients.entries()) homes.set(patient, (homes.get(patient) ?? new Set()).add(sites[at]));
  const several = [...homes.values()].filter(({ size }) => size > 1);
  const wandering = several.length;
  if (options.patientsAcrossSites === 'different' && !sites.includes(undefined))
    return patients.map((patient, at) => JSON.stringify([sites[at], patient]));
  if (wandering === 0) return patients;
  const first = patients.findIndex((patient) => (homes.get(patient)?.size ?? 0) > 1);
  const other = patients.findIndex((patient, at) => patient === patients[first] && sites[at] !== sites[first]);
  const without = sites.includes(undefined) ? ', and files without a site' : '';
  const alikeHomes = several.filter((ways) => new Set([...ways].map((site) => withoutCase(site ?? ''))).size === 1);
  const hint = alikeHomes.length > 0 ? `; of ${alikeHomes.length} the sites differ in capitals or blanks alone` : '';
  const message = sentence(
    'Each patient id',
    'belong to one site, unless `patientsAcrossSites` says what it means',
    phrase(`${counted(wandering, 'id')} at several sites${AS_IN}${without}${hint}`),
    "Write patientsAcrossSites: 'same' for one patient, 'different' for one at each site.",
  );
  throw ofTwo(files, [first, other], new InvalidDataError(message, { code: 'patients_across_sites' }));
}
