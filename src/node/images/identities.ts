/** Patients, levels above and below them, and labels of each row: from the manifest, the names of files, or their tags. */
import { InvalidDataError, phrase, sentence } from '../../core/errors.js';
import { nameText } from '../../core/foreignText.js';
import { counted } from '../../core/format.js';
import { rejectUnusedOption } from '../../core/options.js';
import { alike, withoutCase } from '../alike.js';
import type { ImageFile, ImageOptions, ImageTags } from './imageFile.js';
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
  const patients = level(files, 'group', options.groupsFrom, 'patient');
  if (patients) everyFile(files, patients, 'a patient', 'Give a group in the manifest, or `groupsFrom`.');
  const found: Record<string, readonly string[]> = {};
  let sites: Ids | undefined;
  for (const name of ['site', 'study', 'series'] as const) {
    const ids = level(files, name, undefined, name);
    if (name === 'site') sites = ids;
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
  const groups = patients && acrossSites(files, patients as string[], sites, options);
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

const noMatch = (name: string, must: string) =>
  new InvalidDataError(sentence(`The path '${nameText(name, 160)}'`, must, phrase('no match')), { code: 'no_match' });

function everyFile(files: readonly KnownFile[], ids: Ids, what: string, instead: string): void {
  const at = ids.findIndex((id) => id === undefined || id === '');
  if (at < 0) return;
  const subject = `The image file '${nameText(files[at].name, 160)}'`;
  throw new InvalidDataError(sentence(subject, `name ${what}, as others do`, phrase('none'), instead), {
    code: 'missing_group',
  });
}

function labelsOf(files: readonly KnownFile[], { labelsFrom }: ImageOptions): Identities['y'] {
  const given = files.map(({ entry }) => entry.y);
  const missing = (label: unknown) => label === undefined || label === null || label === '';
  if (labelsFrom && !given.every(missing)) rejectUnusedOption('readImages', 'labelsFrom', 'the list has labels');
  if (labelsFrom) return asLabels(files.map(({ name }) => fromName(name, labelsFrom, 'labelsFrom')));
  if (given.every(missing)) return undefined;
  const at = given.findIndex(missing);
  if (at < 0) return given as NonNullable<Identities['y']>;
  throw new InvalidDataError(
    sentence(`The image file '${nameText(files[at].name, 160)}'`, 'have a label, as others have', phrase('none')),
    { code: 'missing_label' },
  );
}

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
  const [here, there] = [first, other].map((at) => `'${nameText(files[at].name, 160)}'`);
  const without = sites.includes(undefined) ? ', and files without a site' : '';
  const alikeHomes = several.filter((ways) => new Set([...ways].map((site) => withoutCase(site ?? ''))).size === 1);
  const hint = alikeHomes.length > 0 ? `; of ${alikeHomes.length} the sites differ in capitals or blanks alone` : '';
  throw new InvalidDataError(
    sentence(
      'Each patient id',
      'belong to one site, unless `patientsAcrossSites` says what it means',
      phrase(`${counted(wandering, 'id')} at several sites (as in ${here} and ${there})${without}${hint}`),
      "Write patientsAcrossSites: 'same' for one patient, 'different' for one at each site.",
    ),
    { code: 'patients_across_sites' },
  );
}
