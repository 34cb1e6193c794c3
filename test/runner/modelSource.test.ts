import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import type { FoldContext } from '../../src/runner/frameworkAdapter.js';
import { modelSource } from '../../src/runner/modelSource.js';

const ctx = (fold: string, seed = 1) => ({ fold, seed }) as FoldContext;
const build = async (source: unknown, fold: string) => (source as (c: FoldContext) => Promise<object>)(ctx(fold));

describe('modelSource', () => {
  it('gives the first model to its own fold, and calls the factory once for each', async () => {
    let made = 0;
    const source = await modelSource(() => ({ number: made++ }));
    const { model } = await source.first(ctx('fold-0'));
    expect(await build(source.source, 'fold-0')).toBe(model);
    expect(await build(source.source, 'fold-1')).toEqual({ number: 1 });
    expect(made).toBe(2);
    expect(source.forgetFirst()).toBeUndefined();
  });

  it('keeps a first model that no fold took until it is forgotten', async () => {
    const source = await modelSource(() => ({}));
    const { model } = await source.first(ctx('fold-0'));
    expect(source.forgetFirst()).toBe(model);
    expect(await build(source.source, 'fold-0')).not.toBe(model);
  });

  describe('imports a factory', () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'models-'));
    const file = path.join(folder, 'model.mjs');
    writeFileSync(file, 'export default (ctx) => ({ madeFor: ctx.fold })');
    writeFileSync(path.join(folder, 'three.mjs'), 'export default 3');
    afterAll(() => rmSync(folder, { recursive: true }));

    it('from the absolute path or file: URL of a module, as text or URL', async () => {
      for (const place of [file, pathToFileURL(file), pathToFileURL(file).href]) {
        expect(await build((await modelSource(place)).source, 'fold-3')).toEqual({ madeFor: 'fold-3' });
      }
    });

    it('and refuses a module that is not there, and one without a factory', async () => {
      await expect(modelSource('file:///nowhere/model.js')).rejects.toMatchObject({
        code: 'invalid_model',
        message: expect.stringContaining('The model module file:///nowhere/model.js must load. It threw: '),
      });
      const three = path.join(folder, 'three.mjs');
      await expect(modelSource(three)).rejects.toMatchObject({
        message: `The default export of ${three} must be a model factory or a Pipeline with a model. Got 3.`,
      });
    });

    it.each([
      'data:text/javascript,globalThis.ran=1;export default () => ({})',
      'DATA:text/javascript,globalThis.ran=1',
      'http://evil.example/model.js',
      'https://evil.example/model.js',
      'blob:nodedata:1234',
      'node:fs',
      'fs',
      '@scope/model',
      './model.js',
      '../model.js',
      'model.js',
      '//evil.example/model.js',
      'file://evil.example/share/model.js',
      'C:model.js',
      '\\\\evil\\share\\model.js',
      ' /model.js',
      '',
    ])('and refuses %j, which may be code of others', async (place) => {
      const refused = {
        code: 'invalid_model',
        message: expect.stringContaining('absolute path or file: URL of a module'),
      };
      await expect(modelSource(place)).rejects.toMatchObject(refused);
      if (URL.canParse(place)) await expect(modelSource(new URL(place))).rejects.toMatchObject(refused);
      expect('ran' in globalThis).toBe(false);
    });
  });

  it('waits for an instance that is still being loaded', async () => {
    const instance = { weights: [1] };
    expect((await modelSource(Promise.resolve(instance))).source).toBe(instance);
  });
});
