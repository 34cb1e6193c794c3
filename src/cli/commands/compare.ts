/** `cvkit compare`: results side by side. */
import { stat } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { files as nodeFiles } from '#io';
import { InvalidOptionError, phrase, RunDirectoryError, sentence } from '../../core/errors.js';
import type { Files } from '../../core/io.js';
import { ifThere, isThere, writeWhole } from '../../core/wholeFile.js';
import { resultsFrom } from '../../node/directory/resultsFrom.js';
import { compareReports } from '../../stats/compareReports.js';
import { definedOf } from '../flags.js';
import type { CommandOutput } from '../output.js';
import { jsonIn } from '../ownFiles.js';
import type { Work } from '../program.js';

const files = nodeFiles as Files;

export const compareCommand: Work = async (places, flags, output) => {
  await output.checkPlaces(places);
  if (places.length < 2) {
    throw new InvalidOptionError(sentence('`cvkit compare`', 'be called with two results or more', phrase('one')));
  }
  const { metrics, report, force = false } = flags;
  if (new Set(places.map((place) => resolve(place))).size < places.length) {
    throw new InvalidOptionError(sentence('The results of `cvkit compare`', 'be different ones', phrase('one twice')));
  }
  if (report !== undefined && !report.endsWith('.html')) {
    throw new InvalidOptionError(sentence('--report of `cvkit compare`', 'end in .html', report));
  }
  const names = namesOf(places);
  const results: Record<string, unknown> = {};
  for (const [at, place] of places.entries()) results[names[at]] = await resultIn(place, output);
  const comparison = await compareReports({ results, ...definedOf({ metrics }) } as Parameters<
    typeof compareReports
  >[0]);
  await output.result(flags.reporter === 'json' ? JSON.stringify(comparison, null, 1) : comparison.toMarkdown());
  if (report !== undefined) {
    await writeWhole(files, report, comparison.toHTML(), { overwrite: force });
    output.say(`Report: ${report}`);
  }
  return 0;
};

/** A run directory gives its folds, so that differences are paired; a file has the scores alone. */
async function resultIn(place: string, output: CommandOutput): Promise<unknown> {
  if (!(await ifThere(async () => (await stat(place)).isDirectory(), false))) return jsonIn(place);
  try {
    return await resultsFrom(place);
  } catch (error) {
    const file = join(place, 'result.json');
    if (!(error instanceof RunDirectoryError) || !(await isThere(files, file))) throw error;
    output.say(`${error.message} Its result.json is compared, without folds.`);
    return jsonIn(file);
  }
}

/** The last parts of the paths, or the whole ones where these are the same. */
function namesOf(places: readonly string[]): readonly string[] {
  const last = places.map((place) => basename(resolve(place)));
  return new Set(last).size === last.length ? last : places;
}
