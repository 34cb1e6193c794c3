/** Bundles tables.mjs in memory and imports it, so that the documents need no build and follow the sources alone. */
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

const pathOf = (relative) => fileURLToPath(new URL(relative, import.meta.url));

export async function loadTables() {
  const build = await rolldown({
    input: pathOf('./tables.mjs'),
    external: [/^@tensorflow\//],
    platform: 'neutral',
    tsconfig: false,
    resolve: {
      alias: { '#io': pathOf('../../src/core/io.default.ts') },
      extensionAlias: { '.js': ['.ts', '.js'] },
      mainFields: ['module', 'main'],
    },
  });
  const { output } = await build.generate({ format: 'esm', codeSplitting: false });
  await build.close();
  return import(`data:text/javascript;base64,${Buffer.from(output[0].code).toString('base64')}`);
}
