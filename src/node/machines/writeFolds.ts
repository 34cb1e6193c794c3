/** The folds of a run as tasks in its directory, `tasks/folds/`, which `cvkit worker` does. */
import type { FoldLink, FoldTask } from '../../runner/executor.js';
import type { KeptOutcomes } from '../../runner/runDirectory.js';
import { onDisk } from '../directory/runFolder.js';

/** Task n is fold n of the plan, whichever folds there are. Gives the folder. */
export async function writeFolds(link: FoldLink, tasks: readonly FoldTask[]): Promise<string> {
  // Few runs need them, and what opens a run directory is loaded with this file.
  const { describeRun } = await import('./description.js');
  const { TaskFolder, writeTasks } = await import('./taskFolder.js');
  const { place, keyOf } = link.forMachines().directory as KeptOutcomes;
  return onDisk(place, async () => {
    const folder = new TaskFolder(place, 'folds');
    const how = {
      keyOf: (task: FoldTask) => keyOf(task) as string,
      placeOf: link.services.placeOf,
      numberOf: ({ ctx }: FoldTask) => ctx.index,
    };
    // One that cannot be trained on has no key: the run says why.
    const sound = tasks.filter((task) => !task.fault);
    await writeTasks(folder, await describeRun(link, process.cwd(), place), sound, how);
    return folder.place;
  });
}
