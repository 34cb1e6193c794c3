/** Bundles tables.mjs in memory and imports it, so that the documents need no build and follow the sources alone. */
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

export async function loadTables() {
  const build = await rolldown({
    input: fileURLToPath(new URL('./tables.mjs', import.meta.url)),
    external: [/^@tensorflow\//],
    platform: 'neutral',
    tsconfig: false,
    resolve: {
      alias: {
        '#io': fileURLToPath(new URL('../../src/core/io.default.ts', import.meta.url)),
        '#threads': fileURLToPath(new URL('../../src/node/noThreads.ts', import.meta.url)),
      },
      extensionAlias: { '.js': ['.ts', '.js'] },
      mainFields: ['module', 'main'],
    },
  });
  const { output } = await build.generate({ format: 'esm', codeSplitting: false });
  await build.close();
  return import(`data:text/javascript;base64,${Buffer.from(output[0].code).toString('base64')}`);
}
