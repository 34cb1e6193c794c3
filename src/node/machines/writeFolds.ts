/** The folds of a run as tasks in its directory, `tasks/folds/`, which `cvkit worker` does. */
import type { FoldLink, FoldTask } from '../../runner/executor.js';
import type { KeptOutcomes } from '../../runner/runDirectory.js';
import { onDisk } from '../directory/runFolder.js';

/** Task n is fold n of the plan, whichever folds there are. Gives the folder. */
export async function writeFolds(link: FoldLink, tasks: readonly FoldTask[]): Promise<string> {
  // Few runs need them, and what opens a run directory is loaded with this file.
  const { describeRun } = await import('./description.js');
  const { TaskFolder, taskMessages } = await import('./taskFolder.js');
  const { place } = link.forMachines().directory as KeptOutcomes;
  return onDisk(place, async () => {
    const folder = new TaskFolder(place, 'folds');
    const messageOf = taskMessages(link, place);
    await folder.begin(await describeRun(link, process.cwd(), place));
    for (const task of tasks) {
      // One that cannot be trained on has no key: the run says why.
      if (!task.fault) await folder.add(task.ctx.index, messageOf(task));
    }
    return folder.place;
  });
}
