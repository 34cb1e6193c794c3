/** The WebAssembly of near-duplicates: `blockKernel.wat`, assembled by wabt. */
import { readFileSync } from 'node:fs';
import wabt from 'wabt';

const FOLDER = 'src/checkers/CVL003-near-duplicate';

/** @returns text by path of the source that holds the bytes */
export async function assembledKernel() {
  const { parseWat } = await wabt();
  const module = parseWat('blockKernel.wat', readFileSync(`${FOLDER}/blockKernel.wat`, 'utf8'), { simd: true });
  const code = Buffer.from(module.toBinary({}).buffer).toString('base64');
  const text = `/** \`blockKernel.wat\`, assembled by \`npm run generate\`. */\nexport const CODE =\n  '${code}';\n`;
  return { [`${FOLDER}/blockKernelCode.ts`]: text };
}
