import { describe, expect, it } from 'vitest';
import { copyOf } from '../../../adapters/estimator/copy.js';
import { NearestMean } from '../../helpers/nearestMean.js';
import { thrown } from '../../helpers/thrown.js';

class WithParams extends NearestMean {
  constructor(readonly params: { depth: number }) {
    super();
  }
  getParams() {
    return this.params;
  }
}

class WithClone extends NearestMean {
  clone(): NearestMean {
    return new WithClone();
  }
}

describe('copyOf', () => {
  it('uses clone, sync or async', async () => {
    const model = new WithClone();
    const copy = await copyOf(model);
    expect(copy).toBeInstanceOf(WithClone);
    expect(copy).not.toBe(model);
    const later = Object.assign(new NearestMean(), { clone: async () => new WithClone() });
    expect(await copyOf(later)).toBeInstanceOf(WithClone);
  });

  it('uses the constructor with getParams or get_params', async () => {
    const copy = await copyOf(new WithParams({ depth: 3 }));
    expect(copy).toBeInstanceOf(WithParams);
    expect((copy as WithParams).params.depth).toBe(3);
    class Snake extends NearestMean {
      get_params = async () => ({});
    }
    expect(await copyOf(new Snake())).toBeInstanceOf(Snake);
  });

  it('refuses what it cannot copy, and says why', async () => {
    expect(await thrown(() => copyOf(new NearestMean()))).toMatchInlineSnapshot(
      `"AdapterError (instance_refused): The model that was given cannot be copied for each fold: it has neither clone() nor a class with getParams(). Pass a factory () => new NearestMean(...) instead."`,
    );
    expect(await thrown(() => copyOf({ fit: () => 1, predict: () => 1, getParams: () => ({}) }))).toMatchInlineSnapshot(
      `"AdapterError (instance_refused): The model that was given cannot be copied for each fold: it has neither clone() nor a class with getParams(). Pass a factory () => model instead."`,
    );
    const self = new WithClone();
    self.clone = () => self;
    expect(await thrown(() => copyOf(self))).toMatchInlineSnapshot(
      `"AdapterError (instance_refused): The model that was given cannot be copied for each fold: its clone() gives no model of its own. Pass a factory () => new WithClone(...) instead."`,
    );
    expect(await thrown(() => copyOf({ predict: () => 1 }))).toMatchInlineSnapshot(
      `"AdapterError (invalid_model): The model must have predict and fit or train. Got an object with the keys predict."`,
    );
  });
});
