#!/usr/bin/env node
/** The command `cvkit`. */
import { CVKitError } from '../core/errors.js';
import { VERSION } from '../core/version.js';

const [command, ...args] = process.argv.slice(2);
try {
  process.exitCode = await run();
} catch (error) {
  if (!(error instanceof CVKitError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 2;
}
// What a fold left behind when its time was over would keep a worker from ending.
if (command === 'worker') process.exit();

async function run(): Promise<number> {
  if (command === '--version') {
    process.stdout.write(`${VERSION}\n`);
    return 0;
  }
  const { WORKER_USAGE, worker } = await import('./worker.js');
  if (command === 'worker' && !args.includes('--help')) return worker(args);
  const isHelp = command === undefined || command === 'help' || command === '--help' || command === 'worker';
  (isHelp ? process.stdout : process.stderr).write(
    isHelp ? WORKER_USAGE : `cvkit has no command '${command}'.\n${WORKER_USAGE}`,
  );
  return isHelp ? 0 : 2;
}
