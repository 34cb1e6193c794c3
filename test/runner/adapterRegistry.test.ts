import { afterEach, describe, expect, it } from 'vitest';
import { adapterRegistry, registerAdapter } from '../../src/runner/adapterRegistry.js';
import { UniversalCVRunner } from '../../src/runner/universalCVRunner.js';
import { KFold } from '../../src/splitters/iid/kFold.js';
import { blobs, NearestMean, spyAdapter } from '../helpers/nearestMean.js';

afterEach(() => adapterRegistry.remove('spy'));

describe('registerAdapter', () => {
  it("lets framework 'auto' and framework by name find the adapter, before the built-in ones", async () => {
    const { adapter, spy } = spyAdapter();
    registerAdapter(adapter);
    const call = { model: () => new NearestMean(), data: blobs() };
    for (const framework of ['auto', 'spy']) {
      await new UniversalCVRunner({ cvSplitter: new KFold(), framework, verbose: 0 }).run(call);
    }
    expect(spy.built).toBe(10);
  });
});
