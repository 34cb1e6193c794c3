#!/usr/bin/env node
/** The command `cvkit`. */
import { main } from './main.js';

// Who reads the result may have read enough: `cvkit ... | head`.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit();
    throw error;
  });
}
process.exitCode = await main(process.argv.slice(2));
// What a fold left behind when its time was over would keep a worker from ending.
if (process.argv[2] === 'worker') process.exit();
