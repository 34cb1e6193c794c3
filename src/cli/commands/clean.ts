/** `cvkit clean`: removes what a run directory holds of patients. */
import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { InvalidOptionError, phrase, sentence } from '../../core/errors.js';
import { ifThere } from '../../core/wholeFile.js';
import { fault, onDisk, readRun } from '../../node/directory/runFolder.js';
import { takeRunLock } from '../../node/directory/runLock.js';
import type { Work } from '../program.js';

/** What each of them holds. */
const OF_PATIENTS: Readonly<Record<string, string>> = {
  data: 'rows, ids and texts (`copyData`)',
  private: 'the salt, with which ids can be tried against pseudonyms',
  tasks: 'tasks for workers, with their copies of settings',
};

export const cleanCommand: Work = async ([place], flags, output) => {
  const folders = { ...OF_PATIENTS, ...(flags.models ? { models: 'saved models, of which some hold rows' } : {}) };
  await onDisk(place, async () => {
    if (!(await readRun(place))) throw fault(place, 'no_run_directory', 'have a run.json', 'none');
    const there: string[] = [];
    for (const name of Object.keys(folders)) if (await isFolder(join(place, name))) there.push(name);
    const lines = there.map((name) => `  ${name}/  ${folders[name as keyof typeof folders]}`);
    if (there.length === 0) return output.result(`${place}: nothing to remove`);
    output.say(`To be removed from ${place}:\n${lines.join('\n')}`);
    if (!flags.yes) {
      if (!output.isInteractive) {
        throw new InvalidOptionError(sentence('`cvkit clean`', 'be called with --yes', phrase('no terminal to ask')));
      }
      const isMeant = await output.ask('Remove these? A run that has not ended cannot go on.', false);
      if (!isMeant) return output.say('Nothing was removed.');
    }
    const lock = await takeRunLock(place, false);
    if (!('release' in lock)) {
      throw fault(place, 'run_directory_in_use', 'be used by nobody', `process ${lock.pid}`, 'Wait for it, or end it.');
    }
    try {
      for (const name of there) await rm(join(place, name), { recursive: true });
    } finally {
      await lock.release();
    }
    const rest = (await readdir(place)).filter((name) => !name.startsWith('lock')).sort();
    return output.result(`${place}: removed ${there.join(', ')}. It still holds ${rest.join(', ')}.`);
  });
  return 0;
};

const isFolder = (path: string) => ifThere(async () => (await stat(path)).isDirectory(), false);
