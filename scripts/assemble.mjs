/** Makes blockKernelCode.ts of blockKernel.wat by wabt, the WebAssembly Binary Toolkit. With `--check` it only compares. */
import { readFileSync, writeFileSync } from 'node:fs';
import wabt from 'wabt';

const FOLDER = new URL('../src/checkers/CVL003-near-duplicate/', import.meta.url);
const TARGET = new URL('blockKernelCode.ts', FOLDER);

const { parseWat } = await wabt();
const module = parseWat('blockKernel.wat', readFileSync(new URL('blockKernel.wat', FOLDER), 'utf8'), { simd: true });
const code = Buffer.from(module.toBinary({}).buffer).toString('base64');
const text = `/** \`blockKernel.wat\`, assembled by \`scripts/assemble.mjs\`. */\nexport const CODE =\n  '${code}';\n`;
if (!process.argv.includes('--check')) writeFileSync(TARGET, text);
else if (readFileSync(TARGET, 'utf8') !== text) {
  console.error('blockKernelCode.ts is not what blockKernel.wat says: run node scripts/assemble.mjs.');
  process.exitCode = 1;
}
