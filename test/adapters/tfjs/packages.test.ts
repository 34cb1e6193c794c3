import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import util from 'node:util';
import { rolldown } from 'rolldown';
import { describe, expect, it } from 'vitest';
import { defaultImports, importPackage, tryPackage, withoutRethrowing } from '../../../adapters/tfjs/packages.js';
import { thrown } from '../../helpers/thrown.js';

const missing = { ...defaultImports, '@tensorflow/tfjs-node': () => Promise.reject(new Error('no binding')) };

describe('importPackage', () => {
  it('gives the package', async () => {
    expect(await importPackage(defaultImports, '@tensorflow/tfjs', 'A test')).toHaveProperty('sequential');
  });

  it('names the command that installs what is missing', async () => {
    expect(await thrown(() => importPackage(missing, '@tensorflow/tfjs-node', 'A test'))).toMatch(
      /\(missing_package\): .*'@tensorflow\/tfjs-node'/,
    );
  });
});

describe('tryPackage', () => {
  it('says whether a package can be loaded', async () => {
    expect(await tryPackage(missing, '@tensorflow/tfjs-backend-wasm')).toBe(true);
    expect(await tryPackage(missing, '@tensorflow/tfjs-node')).toBe(false);
  });
});

describe('the import of tfjs-node', () => {
  it('puts back what newer versions of Node have removed and tfjs-node needs', async () => {
    const module = util as unknown as Record<string, unknown>;
    const had = module.isNullOrUndefined;
    delete module.isNullOrUndefined;
    await tryPackage(defaultImports, '@tensorflow/tfjs-node');
    const restored = module.isNullOrUndefined as (value: unknown) => boolean;
    expect([undefined, null, 0].map(restored)).toEqual([true, true, false]);
    if (had) module.isNullOrUndefined = had;
  });
});

describe('withoutRethrowing', () => {
  it('takes away what throws again, and leaves the listeners of the host', async () => {
    const before = process.rawListeners('uncaughtException');
    const [host, meanwhile] = [() => undefined, () => console.log('host')];
    const rethrowing = (ex: unknown) => {
      throw ex;
    };
    process.on('uncaughtException', host);
    process.on('uncaughtException', rethrowing); // the host's, too: it was there before
    try {
      const started = await withoutRethrowing(async () => {
        process.on('uncaughtException', (ex) => {
          throw ex;
        });
        process.on('uncaughtException', meanwhile);
        return 'started';
      });
      expect(started).toBe('started');
      expect(process.rawListeners('uncaughtException')).toEqual([...before, host, rethrowing, meanwhile]);
    } finally {
      for (const each of [host, rethrowing, meanwhile]) process.removeListener('uncaughtException', each);
    }
  });

  it('leaves no line of tfjs above an error that nobody catches, and the exit code of Node', {
    tags: 'slow',
  }, async () => {
    const root = fileURLToPath(new URL('../../..', import.meta.url));
    // Inside the project, so that packages are found.
    const folder = mkdtempSync(join(root, 'node_modules', '.uncaught-'));
    try {
      const build = await rolldown({
        input: join(root, 'test/helpers/uncaught.ts'),
        external: ['#threads', /^@tensorflow\//, 'eventemitter3', /^node:/],
        platform: 'node',
        tsconfig: false,
        resolve: {
          alias: { '#io': join(root, 'src/core/io.node.ts') },
          extensionAlias: { '.js': ['.ts', '.js'] },
        },
        logLevel: 'silent',
      });
      const file = join(folder, 'uncaught.mjs');
      await build.write({ file, format: 'esm', codeSplitting: false });
      const { status, stdout, stderr } = spawnSync(process.execPath, [file], { encoding: 'utf8' });
      expect(stdout.trim().split('\n').at(-1)).toBe('[0,0]');
      const lines = stderr.split('\n').filter((line) => line.trim() !== '');
      // Node shows the line that made the error, which is ours, and then the sentence.
      expect(lines[0]).toContain('uncaught.mjs:');
      expect(stderr).not.toMatch(/throw ex|backend-wasm/);
      expect(lines.find((line) => /^\w*Error: /.test(line))).toBe(
        "FoldError: Fold fold-0 failed: The `optimizer` option has no optimizer 'adem' in tfjs. Did you mean 'adam'?",
      );
      expect(status).toBe(1);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
