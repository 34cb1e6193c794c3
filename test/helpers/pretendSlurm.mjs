#!/usr/bin/env node
/**
 * What sbatch, squeue and scancel do, without a cluster: every array task is a process of this machine, at once. Called by the name
 * of the command; its state is in the folder PRETEND_SLURM, where files tell what goes wrong: `lose-N` the array task N is lost
 * when it is submitted next (all of them, always: `lose-all`), `down` the controller does not answer, `refuse` sbatch refuses.
 */
import { spawn } from 'node:child_process';
import { appendFileSync, existsSync, openSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const folder = process.env.PRETEND_SLURM;
const [command, ...args] = process.argv.slice(2);
const has = (name) => existsSync(join(folder, name));
const option = (name) => args.find((each) => each.startsWith(`--${name}=`))?.slice(name.length + 3);
const fail = (text) => {
  process.stderr.write(`${command}: error: ${text}\n`);
  process.exit(1);
};
const jobs = () =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.job'))
    .map((name) => ({ id: name.slice(0, -4), ...JSON.parse(readFileSync(join(folder, name), 'utf8')) }));
const lives = ({ pid }) => {
  try {
    // A process that has ended is no longer in its group.
    return process.kill(-pid, 0);
  } catch {
    return false;
  }
};

appendFileSync(join(folder, 'calls'), `${JSON.stringify([command, ...args])}\n`);
if (has('down')) fail('Unable to contact slurm controller (connect failure)');
if (command === 'sbatch') {
  if (has('refuse')) fail('Batch job submission failed: Invalid partition name specified');
  const [list] = option('array').split('%');
  const [low, high] = list.split('-').map(Number);
  const indices =
    high === undefined ? list.split(',').map(Number) : Array.from({ length: high - low + 1 }, (_, at) => low + at);
  const job = new Set(jobs().map(({ id }) => id.split('_')[0])).size + 1;
  const wrap = args[args.indexOf('--wrap') + 1];
  for (const index of indices) {
    const isLost = has('lose-all') || has(`lose-${index}`);
    rmSync(join(folder, `lose-${index}`), { force: true });
    const signs = { '%%': '%', '%A': job, '%a': index };
    const log = openSync(
      option('output').replace(/%[%Aa]/g, (sign) => signs[sign]),
      'w',
    );
    const env = { ...process.env, SLURM_ARRAY_TASK_ID: String(index) };
    const script = isLost ? 'exit 9' : wrap;
    const child = spawn('sh', ['-c', script], { env, detached: true, stdio: ['ignore', log, log] });
    child.unref();
    writeFileSync(
      join(folder, `${job}_${index}.job`),
      JSON.stringify({ pid: child.pid, name: option('job-name'), isLost }),
    );
  }
  process.stdout.write(`${job}\n`);
  process.exit();
}
if (command === 'squeue') {
  for (const job of jobs()) {
    if (!job.isLost) process.stdout.write(`${job.id.replace('_', ' ')} ${lives(job) ? 'RUNNING' : 'FAILED'}\n`);
  }
}
if (command === 'scancel') {
  const names = option('name')?.split(',') ?? [];
  for (const job of jobs()) {
    if ((names.includes(job.name) || args.includes(job.id)) && lives(job)) process.kill(-job.pid, 'SIGTERM');
  }
}
