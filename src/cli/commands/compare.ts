/** `cvkit compare`: results side by side. */
import { readFile, stat } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { files as nodeFiles } from '#io';
import { InvalidDataError, InvalidOptionError, phrase, RunDirectoryError, sentence } from '../../core/errors.js';
import type { Files } from '../../core/io.js';
import { ifThere, writeWhole } from '../../core/wholeFile.js';
import { resultsFrom } from '../../node/directory/resultsFrom.js';
import { compareReports } from '../../stats/compareReports.js';
import { definedOf } from '../flags.js';
import type { CommandOutput } from '../output.js';
import type { Work } from '../program.js';

export const compareCommand: Work = async (places, flags, output) => {
  await output.checkPlaces(places);
  if (places.length < 2) {
    throw new InvalidOptionError(sentence('`cvkit compare`', 'be called with two results or more', phrase('one')));
  }
  const { metrics, report, force = false } = flags;
  const names = namesOf(places);
  const results: Record<string, unknown> = {};
  for (const [at, place] of places.entries()) results[names[at]] = await resultIn(place, output);
  const comparison = await compareReports({ results, ...definedOf({ metrics }) } as Parameters<
    typeof compareReports
  >[0]);
  await output.result(comparison.toMarkdown());
  if (report !== undefined) {
    await writeWhole(nodeFiles as Files, report, comparison.toHTML(), { overwrite: force });
    output.say(`Report: ${report}`);
  }
  return 0;
};

/** A run directory gives its folds, so that differences are paired; a file has the scores alone. */
async function resultIn(place: string, output: CommandOutput): Promise<unknown> {
  const isFolder = await ifThere(async () => (await stat(place)).isDirectory(), false);
  if (isFolder) {
    try {
      return await resultsFrom(place);
    } catch (error) {
      if (!(error instanceof RunDirectoryError)) throw error;
      output.say(`${error.message} Its result.json is compared, without folds.`);
    }
  }
  const file = isFolder ? join(place, 'result.json') : place;
  const text = await ifThere(() => readFile(file, 'utf8'), undefined);
  if (text === undefined) {
    const way = isFolder ? 'The run has not ended: `cvkit status` says how far it is.' : undefined;
    throw new InvalidDataError(sentence(file, 'be the result of a run', phrase('no such file'), way));
  }
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new InvalidDataError(sentence(file, 'be JSON of a result', phrase('text that is no JSON')), { cause: error });
  }
}

/** The last parts of the paths, or the whole ones where these are the same. */
function namesOf(places: readonly string[]): readonly string[] {
  const last = places.map((place) => basename(resolve(place)));
  return new Set(last).size === last.length ? last : places;
}
