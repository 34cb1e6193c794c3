import util from 'node:util';
import { describe, expect, it } from 'vitest';
import { defaultImports, importPackage, tryPackage } from '../../../adapters/tfjs/packages.js';
import { thrown } from '../../helpers/thrown.js';

const missing = { ...defaultImports, '@tensorflow/tfjs-node': () => Promise.reject(new Error('no binding')) };

describe('importPackage', () => {
  it('gives the package', async () => {
    expect(await importPackage(defaultImports, '@tensorflow/tfjs', 'A test')).toHaveProperty('sequential');
  });

  it('names the command that installs what is missing', async () => {
    expect(await thrown(() => importPackage(missing, '@tensorflow/tfjs-node', 'A test'))).toMatchInlineSnapshot(
      `"MissingPackageError (missing_package): A test needs the package '@tensorflow/tfjs-node', which could not be loaded. Run: npm install @tensorflow/tfjs-node"`,
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
