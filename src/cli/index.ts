#!/usr/bin/env node
/** The command `cvkit`. */
import { main } from './main.js';

// Who reads the result may have read enough: `cvkit ... | head`.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit();
    process.stderr.write(`The result could not be written: ${error.message}\n`);
    process.exit(2);
  });
}
// What a study prints is no result.
if (process.argv[2] !== 'complete') globalThis.console = new console.Console(process.stderr);
// Node ends so where something is waited for that never comes.
process.on('exit', (code) => {
  if (code !== 13) return;
  process.stderr.write('A promise of the study or of the model is waited for, and never settles.\n');
  process.exitCode = 2;
});
process.exitCode = await main(process.argv.slice(2));
// What a fold left behind when its time was over would keep a worker from ending.
if (['worker', 'mcp'].includes(process.argv[2])) process.exit();
