/** The other side: a Python process with scikit-learn that answers one task after the other. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const PYTHON = process.env.CVKIT_PYTHON ?? 'python3';
const ONE_THREAD = { OMP_NUM_THREADS: '1', OPENBLAS_NUM_THREADS: '1', MKL_NUM_THREADS: '1' };
const FOUND = `
import sys
try:
    import pandas, sklearn
except ImportError as error:
    sys.exit(f"{error}")
if tuple(map(int, sklearn.__version__.split(".")[:2])) < (1, 9):
    sys.exit(f"scikit-learn {sklearn.__version__} is older than 1.9")
print(f"scikit-learn {sklearn.__version__}, pandas {pandas.__version__}")
`;

/** Null, with a word on why, where scikit-learn is not there. `folder` holds the data. */
export async function openPeer(folder) {
  const { error, status, stdout, stderr } = spawnSync(PYTHON, ['-c', FOUND], { encoding: 'utf8' });
  if (error || status !== 0) {
    console.log(
      `${PYTHON} gives no scikit-learn: ${(error?.message ?? stderr).trim()}. Name another one in CVKIT_PYTHON.`,
    );
    return null;
  }
  const child = spawn(PYTHON, [join(import.meta.dirname, 'peer.py'), folder], {
    env: { ...process.env, ...ONE_THREAD },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const answers = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    version: stdout.trim(),
    /** Does a task of peer.py once. Resolves to `{ ms, ... }`. */
    async run(task, options) {
      child.stdin.write(`${JSON.stringify({ task, options })}\n`);
      const { value, done } = await answers.next();
      if (done) throw new Error(`The peer ended in the task '${task}'.`);
      return JSON.parse(value);
    },
    async close() {
      child.stdin.end();
      if (child.exitCode === null) await once(child, 'exit');
    },
  };
}
