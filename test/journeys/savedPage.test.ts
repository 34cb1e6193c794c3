/** Saves models in a page, in Chromium, and loads them there and in Node. */
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { loadModel } from '../../src/runner/loadModel.js';
import { needDist } from '../meta/dist.js';
import { ROOT } from '../meta/program.js';
import { bundled, chromium, LIMIT, NO_CHROMIUM, toldBy } from './chromium.js';

beforeAll(needDist);

it(
  'models that a page saves in IndexedDB or as a Blob predict what they did, there and in Node',
  async ({ skip }) => {
    if (!chromium) return skip(NO_CHROMIUM);
    const found = await toldBy(chromium, await bundled(join(ROOT, 'test/journeys/savedPage.mjs')));
    expect(found.error).toBeUndefined();
    expect(found.after).toEqual(found.before);
    expect(found.codes).toEqual(['place_taken', 'done', 'unreadable_file', 'unable']);
    const model = await loadModel(new Blob([Uint8Array.from(found.blob as number[])]));
    const { predictions, probabilities } = await model.predict(found.X as number[][]);
    const [given, risks] = (found.before as number[][][])[0];
    expect(Array.from(predictions as number[])).toEqual(given);
    // Engines may differ in the last digit of an exponential.
    expect(Array.from(probabilities as Float64Array)).toEqual(risks.map((risk) => expect.closeTo(risk, 12)));
  },
  2 * LIMIT,
);
