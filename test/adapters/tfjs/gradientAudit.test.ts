/**
 * Every layer type of tfjs-layers on every backend: what agrees with central differences must be accepted, and
 * everything else refused by name before the first epoch. So no row of the refusals is missing and none is too many.
 */

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { tfjsAdapter } from '../../../adapters/tfjs/index.js';
import { refusals } from '../../../adapters/tfjs/layers.js';
import { lossesOf } from '../../../adapters/tfjs/losses.js';
import { byDifferences, byGradients, disagreement, modelOf, type Reference } from '../../helpers/gradientAudit.js';
import { CASES } from '../../helpers/gradientCases.js';
import { network, tf, viewOf } from '../../helpers/tfjsModels.js';
import { hasTfjsNode } from '../../helpers/tfjsNode.js';

type Class = { readonly className: string; readonly prototype: object };
const registered = Object.values(tf.serialization.SerializationMap.getMap().classNameMap).map(
  ([found]) => found as unknown as Class,
);
const namesBelow = (base: object) =>
  registered.filter(({ prototype }) => Object.prototype.isPrototypeOf.call(base, prototype)).map((c) => c.className);

/** Layer types without a case, and why. */
const WITHOUT: Readonly<Record<string, string>> = {
  CategoryEncoding: 'has no weights, and its input is integers',
  Functional: 'is the class Model under the name it has in files',
};

interface Node {
  getClassName(): string;
  readonly layers?: readonly Node[];
  readonly layer?: Node;
  readonly cell?: Node;
  readonly cells?: readonly Node[];
}

function classesIn(node: Node): string[] {
  const inner = [...(node.layers ?? []), node.layer, node.cell, ...(node.cells ?? [])].filter(
    (each) => each !== undefined,
  );
  return [node.getClassName(), ...inner.flatMap(classesIn)];
}

describe('the table of cases', { tags: 'slow' }, () => {
  const cases = CASES.map((each) => {
    const model = modelOf(each);
    const layers = model.layers as unknown as Node[];
    const found = {
      classes: classesIn(model as unknown as Node),
      activations: layers.map((layer) => (layer as { activation?: Node }).activation?.getClassName()),
    };
    model.dispose();
    return found;
  });

  it('has every layer type that is registered, or a reason', () => {
    const covered = new Set(cases.flatMap(({ classes }) => classes));
    const missing = namesBelow(tf.layers.Layer.prototype).filter((name) => !covered.has(name));
    expect(missing.sort()).toEqual(Object.keys(WITHOUT).sort());
  });

  it('has every activation that is registered', () => {
    const relu = registered.find(({ className }) => className === 'relu') as Class;
    const covered = new Set(cases.flatMap(({ activations }) => activations));
    const all = namesBelow(Object.getPrototypeOf(relu.prototype));
    expect(all.length).toBeGreaterThan(14);
    expect(all.filter((name) => !covered.has(name))).toEqual([]);
  });

  it('has every loss that a model can be trained with', () => {
    let known = '';
    try {
      const output = { place: 0, name: 'y', label: 'y' };
      lossesOf(viewOf(network()), [output as never], 'none of these names');
    } catch (error) {
      known = (error as Error).message;
    }
    const losses = known.replace(/^.*Known: |\.$/g, '').split(', ');
    expect(losses.length).toBeGreaterThan(12);
    expect(CASES.flatMap(({ loss }) => loss ?? []).sort()).toEqual(losses.sort());
  });

  it('has no name twice', () => {
    expect(new Set(CASES.map(({ name }) => name)).size).toBe(CASES.length);
  });
});

/** By central differences of the forward pass on cpu, which the forward passes of the others must equal. */
const references = new Map<string, Reference | string>();

async function withBackend(backend: string) {
  const session = await tfjsAdapter.open?.({ backend });
  return async () => session?.close();
}

describe.each([
  ['cpu', true],
  ['wasm', true],
  ['tensorflow', hasTfjsNode],
])('what is refused on %s is what it gets wrong', { tags: 'slow' }, (backend, runs) => {
  describe.skipIf(!runs)('and nothing else', () => {
    let close: () => Promise<void> | undefined | void;

    beforeAll(async () => {
      if (references.size === 0) {
        close = await withBackend('cpu');
        for (const each of CASES) references.set(each.name, byDifferences(each));
        await close();
      }
      close = await withBackend(backend);
    });
    afterAll(() => close());

    it.each(CASES)('$name', (each) => {
      const tensors = tf.memory().numTensors;
      const reference = references.get(each.name) as Reference | string;
      const wrong = disagreement(reference, byGradients(each, typeof reference === 'string' ? 0 : reference.seed));
      const model = modelOf(each);
      const refused = refusals(viewOf(model), backend);
      model.dispose();
      if (refused.length > 0) expect(wrong, `${refused[0]}, but the gradients agree`).toBeDefined();
      else expect(wrong).toBeUndefined();
      expect(tf.memory().numTensors).toBe(tensors);
    });
  });
});
