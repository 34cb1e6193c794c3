/** A process of the comparison: makes cases and sends them to one Python process, which has the rules. */
import { spawn } from 'node:child_process';
import { renameSync, writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { makeCase, seedOf } from '../judge.mjs';
import { SCENARIOS } from '../scenarios.mjs';
import { caseFor } from './caseFor.mjs';

const python = spawn(process.env.PEERS_PYTHON ?? 'python3', [fileURLToPath(new URL('peers.py', import.meta.url))], {
  stdio: ['pipe', 'pipe', process.env.PEERS_LOG ? 'inherit' : 'ignore'],
  env: { ...process.env, OMP_NUM_THREADS: '1', OPENBLAS_NUM_THREADS: '1' },
});
python.on('exit', (code) => {
  if (code) throw new Error(`Python ended with code ${code}. PEERS_LOG=1 shows what it said.`);
});
const lines = createInterface({ input: python.stdout })[Symbol.asyncIterator]();
const read = async () => {
  const { value, done } = await lines.next();
  if (done) throw new Error('Python ended. PEERS_LOG=1 shows what it said.');
  return JSON.parse(value);
};
const hello = read();

process.on('message', async ({ id, to, seed, file }) => {
  const started = performance.now();
  const scenario = SCENARIOS.find((each) => each.id === id);
  const { versions } = await hello;
  const cases = [];
  for (let at = 0; at < to; at++) {
    const made = await makeCase(scenario, seedOf(scenario, seed, at));
    python.stdin.write(`${JSON.stringify(caseFor(scenario, made))}\n`);
    cases.push(await read());
  }
  writeFileSync(`${file}.part`, JSON.stringify({ versions, cases }));
  renameSync(`${file}.part`, file);
  process.send({ file, ms: performance.now() - started });
});
process.on('disconnect', () => python.stdin.end());
