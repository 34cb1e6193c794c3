import { describe, expect, it } from 'vitest';
import { copyInstance } from '../../src/data/copyInstance.js';
import { UniversalCVRunner } from '../../src/runner/universalCVRunner.js';
import { KFold } from '../../src/splitters/iid/kFold.js';
import { blobs, NearestMean } from '../helpers/nearestMean.js';
import { network, tf } from '../helpers/tfjsModels.js';
import { thrown } from '../helpers/thrown.js';

/** As the adapter of estimators asks for it. */
const copyOf = (model: unknown) =>
  copyInstance(model, { noun: 'model', is: (copy) => typeof (copy as NearestMean).predict === 'function' });

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

describe('copyInstance', () => {
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
    const self = new WithClone();
    self.clone = () => self;
    expect(await thrown(() => copyOf(self))).toMatch(/\(instance_refused\):/);
  });

  describe('property by property', () => {
    class Node {
      children: Node[] = [];
      parent: Node | undefined;
      get count(): number {
        return this.children.length;
      }
    }

    const KEPT: unique symbol = Symbol('kept');

    /** Holds a bit of everything that models are made of. */
    class Own extends NearestMean {
      list = [1, [2, 3]];
      weights = Float64Array.of(1, 2, 3, 4);
      tail = this.weights.subarray(2);
      table = new Map<unknown, unknown>([['a', { depth: 1 }]]);
      names = new Set(['x']);
      since = new Date(0);
      pattern = /a+/gi;
      bare = Object.assign(Object.create(null), { yes: true });
      root = new Node();
      distanceTo = Math.hypot;
      nothing = null;
      [KEPT] = { deep: true };
      constructor() {
        super();
        const leaf = new Node();
        leaf.parent = this.root;
        this.root.children.push(leaf);
        Object.defineProperty(this, 'hidden', { value: [1], enumerable: false });
        Object.freeze(this.list);
      }
    }

    it('gives an equal model of the same class that shares nothing', async () => {
      const model = new Own();
      const copy = (await copyOf(model)) as unknown as Own;
      expect(copy).toEqual(model);
      expect(Object.getPrototypeOf(copy)).toBe(Own.prototype);
      expect(copy.distanceTo).toBe(Math.hypot);
      copy.weights[2] = 9;
      expect([copy.tail[0], model.weights[2]]).toEqual([9, 3]); // two views of one buffer, of the copy's own
      expect(copy.root.children[0].parent).toBe(copy.root); // a circle stays one
      expect(copy.root.children[0].parent?.count).toBe(1);
      expect(Object.isFrozen(copy.list)).toBe(true);
      expect((copy as unknown as { hidden: number[] }).hidden).toEqual([1]);
      (copy.table.get('a') as { depth: number }).depth = 2;
      copy.names.add('y');
      copy.since.setTime(5);
      copy[KEPT].deep = false;
      expect(model).toEqual(new Own());
    });

    it('copies long chains, plain objects with methods, and classes made from those of the language', async () => {
      let chain: { next?: object } = {};
      for (let i = 0; i < 20_000; i++) chain = { next: chain };
      class Rows extends Array<number> {
        first = () => 1;
      }
      const plain = { fit: () => 1, predict: () => 1, chain, rows: Rows.from([4, 5]), bytes: Buffer.from('ab') };
      const copy = (await copyOf(plain)) as unknown as typeof plain;
      expect(copy.rows).toBeInstanceOf(Rows);
      expect(Array.from(copy.rows)).toEqual([4, 5]);
      expect(copy.bytes.toString()).toBe('ab');
      expect(copy.chain === chain).toBe(false);
    });

    it('refuses what would stay shared or get lost, with the reason', async () => {
      const model = (parts: object) => Object.assign(new NearestMean(), parts);
      const why = async (given: unknown) => /fold: (.*?)\. Pass/.exec(await thrown(() => copyOf(given)))?.[1];
      class Secret extends NearestMean {
        #mean = 1;
        read() {
          return this.#mean;
        }
      }
      class Arrow extends NearestMean {
        again = (X: number[][]) => this.predict(X);
      }
      class Inner {
        scale = async () => this;
      }
      // Not written as a function here: the compiler would put `this` for `self`.
      const Old = new Function(
        'const self = this; this.fit = () => 1; this.predict = function () { return self; };',
      ) as unknown as new () => object;
      expect(await why(new Secret())).toBe('it has private fields (#mean of the class Secret)');
      expect(await why(new Arrow())).toBe('its property `again` is an arrow function that uses this');
      expect(await why(model({ inner: [new Inner()] }))).toBe(
        'its property `inner.0.scale` is an arrow function that uses this',
      );
      expect(await why(new Old())).toBe('its property `predict` uses self, which is this instance');
      expect(await why(model({ cache: new WeakMap() }))).toBe(
        'its property `cache` is a WeakMap, whose content cannot be read',
      );
      expect(await why(model({ ready: Promise.resolve() }))).toContain('`ready` is a Promise');
      expect(await why(model({ weights: tf.tensor1d([1]) }))).toBe('its property `weights` is a tensor');
      expect(await why(model({ network: network() }))).toContain('its property `network');
      expect(await why(model({ free: () => undefined }))).toBe(
        'it holds memory outside JavaScript, for which it has free()',
      );
      expect(await why(model({ bound: [].concat.bind([]) }))).toContain('`bound` is a bound function');
    });
  });
});

describe('a plain instance as model', () => {
  it('gives what a factory gives; it stays untrained, and each fold starts from it', async () => {
    const { X, y } = blobs();
    /** Counts the rows that it was trained on, also before, and is less sure by that. */
    class Counting extends NearestMean {
      readonly seen = { rows: 0 };
      override fit(rows: number[][], labels: unknown[]): this {
        this.seen.rows += rows.length;
        return super.fit(rows, labels);
      }
      predictProba(rows: number[][]) {
        return rows.map((row) => 1 / (1 + this.distance(row, 1) * this.seen.rows));
      }
    }
    const run = (model: unknown) =>
      new UniversalCVRunner({ cvSplitter: new KFold({ nSplits: 4 }), verbose: 0 }).run({
        model,
        data: [X, y],
      } as never);
    const instance = new Counting();
    instance.seen.rows = 5;
    const byFactory = await run(() => Object.assign(new Counting(), { seen: { rows: 5 } }));
    const running = run(instance);
    expect((await running).outOfFold).toEqual(byFactory.outOfFold);
    expect(instance).toEqual(Object.assign(new Counting(), { seen: { rows: 5 } }));
  });
});
