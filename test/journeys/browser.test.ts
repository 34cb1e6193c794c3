/** Runs in a page: the package as a bundler takes it, in Chromium, where no platform tells runs apart. */
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { needDist } from '../meta/dist.js';
import { ROOT } from '../meta/program.js';
import { bundled, chromium, LIMIT, NO_CHROMIUM, toldBy } from './chromium.js';

const PAGE = join(ROOT, 'test/journeys/browserPage.mjs');

beforeAll(needDist);

it(
  'runs at once wait for each other in a page, runs with `parent` do not, and all give what they give in Node',
  async ({ skip }) => {
    if (!chromium) return skip(NO_CHROMIUM);
    const found = await toldBy(chromium, await bundled(PAGE));
    expect(found.error).toBeUndefined();
    expect(found.both).toEqual(found.alone);
    expect(found.begun).toEqual([1, 1, 1, 2, 2, 2]);
    const [, second] = found.alone as unknown[];
    expect(found.inside).toEqual([second, second, second]);
    expect(found).toMatchObject({ outer: 3, restored: true });
    expect(found.withoutParent).toContain('must be given the `parent` option');
    const { outcome } = await import('./browserPage.mjs');
    const inNode = JSON.parse(JSON.stringify(await outcome()));
    expect(found.alone).toEqual(inNode.alone);
    expect(inNode).toMatchObject({ both: inNode.alone, withoutParent: 'done', restored: true });
  },
  2 * LIMIT,
);
