/** Bundles tables.mjs and imports it, so that the documents need no build and follow the sources alone. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { rolldown } from 'rolldown';

export async function loadTables() {
  const build = await rolldown({
    input: fileURLToPath(new URL('./tables.mjs', import.meta.url)),
    external: [/^@tensorflow\//, /^node:/],
    platform: 'neutral',
    tsconfig: false,
    resolve: {
      alias: {
        '#io': fileURLToPath(new URL('../../src/core/io.default.ts', import.meta.url)),
        '#table': fileURLToPath(new URL('../../src/pages/tableParts.ts', import.meta.url)),
        '#node': fileURLToPath(new URL('../../src/pages/parts.ts', import.meta.url)),
      },
      extensionAlias: { '.js': ['.ts', '.js'] },
      mainFields: ['module', 'main'],
    },
  });
  const folder = mkdtempSync(join(tmpdir(), 'cvkit-tables-'));
  const file = join(folder, 'tables.mjs');
  try {
    await build.write({ file, format: 'esm', codeSplitting: false });
    await build.close();
    return await import(pathToFileURL(file).href);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
