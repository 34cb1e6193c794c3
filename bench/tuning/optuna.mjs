/** The other side: a Python process with Optuna that answers one task after the other. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const PYTHON = process.env.CVKIT_PYTHON ?? 'python3';
const ONE_THREAD = { OMP_NUM_THREADS: '1', OPENBLAS_NUM_THREADS: '1', MKL_NUM_THREADS: '1' };
const FOUND = `
import sys
try:
    import optuna
except ImportError as error:
    sys.exit(f"{error}")
if int(optuna.__version__.split(".")[0]) < 5:
    sys.exit(f"Optuna {optuna.__version__} is older than 5")
print(f"Optuna {optuna.__version__}")
`;

/** Null, with a word on why, where Optuna is not there. */
export function openOptuna() {
  const { error, status, stdout, stderr } = spawnSync(PYTHON, ['-c', FOUND], { encoding: 'utf8' });
  if (error || status !== 0) {
    const why = (error?.message ?? stderr).trim();
    console.log(`${PYTHON} gives no Optuna 5: ${why}. Name another one in CVKIT_PYTHON. Our numbers stand alone.`);
    return null;
  }
  const child = spawn(PYTHON, [join(import.meta.dirname, 'tpe_optuna.py')], {
    env: { ...process.env, ...ONE_THREAD },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const answers = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    version: stdout.trim(),
    /** Does one task of tpe_optuna.py. */
    async run(task) {
      child.stdin.write(`${JSON.stringify(task)}\n`);
      const { value, done } = await answers.next();
      if (done) throw new Error(`Optuna ended in the task '${task.do}'.`);
      return JSON.parse(value);
    },
    async close() {
      child.stdin.end();
      if (child.exitCode === null) await once(child, 'exit');
    },
  };
}
