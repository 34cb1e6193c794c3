/** Completions of shells: `source <(cvkit complete bash)`. The one place that knows the package, which is young. */
import tab from '@bomb.sh/tab/commander';
import type { Command } from 'commander';

/** Adds the command `complete` with what the program offers. */
export function complete(cvkit: Command): void {
  tab(cvkit);
}
