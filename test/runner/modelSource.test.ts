import { describe, expect, it } from 'vitest';
import type { FoldContext } from '../../src/runner/frameworkAdapter.js';
import { modelSource } from '../../src/runner/modelSource.js';

const ctx = (fold: string, seed = 1) => ({ fold, seed }) as FoldContext;
const build = async (source: unknown, fold: string) => (source as (c: FoldContext) => Promise<object>)(ctx(fold));

describe('modelSource', () => {
  it('gives the first model to its own fold, and calls the factory once for each', async () => {
    let made = 0;
    const source = await modelSource(() => ({ number: made++ }));
    const first = await source.first(ctx('fold-0'));
    expect(await build(source.source, 'fold-0')).toBe(first);
    expect(await build(source.source, 'fold-1')).toEqual({ number: 1 });
    expect(made).toBe(2);
    expect(source.forgetFirst()).toBeUndefined();
  });

  it('keeps a first model that no fold took until it is forgotten', async () => {
    const source = await modelSource(() => ({}));
    const first = await source.first(ctx('fold-0'));
    expect(source.forgetFirst()).toBe(first);
    expect(await build(source.source, 'fold-0')).not.toBe(first);
  });

  it('imports a factory from the URL of a module', async () => {
    const module = 'data:text/javascript,export default (ctx) => ({ madeFor: ctx.fold })';
    const source = await modelSource(new URL(module));
    expect(await build(source.source, 'fold-3')).toEqual({ madeFor: 'fold-3' });
  });

  it('refuses a module that is not there, and one without a factory', async () => {
    await expect(modelSource('file:///nowhere/model.js')).rejects.toMatchObject({
      code: 'invalid_model',
      message: expect.stringContaining('The model module file:///nowhere/model.js must load. It threw: '),
    });
    await expect(modelSource('data:text/javascript,export default 3')).rejects.toMatchObject({
      message: 'The default export of data:text/javascript,export default 3 must be a model factory. Got 3.',
    });
  });

  it('waits for an instance that is still being loaded', async () => {
    const instance = { weights: [1] };
    expect((await modelSource(Promise.resolve(instance))).source).toBe(instance);
  });
});
