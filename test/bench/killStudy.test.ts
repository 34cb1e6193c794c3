/** One seeded kill of each kind of the study: the whole study is run by hand. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { KINDS } from '../../bench/killStudy/kinds.mjs';
import { needDist } from '../meta/dist.js';

beforeAll(needDist);
afterAll(async () => {
  for (const kind of KINDS) if ('end' in kind) await kind.end();
});

describe.skipIf(process.platform === 'win32')('a run survives', { tags: 'slow', timeout: 120_000 }, () => {
  it.for(KINDS)('$name', async ({ available, once, name }, { skip }) => {
    const missing = await available();
    if (missing !== true) skip(String(missing));
    expect(await once(`test-${name}`)).toEqual({ ok: true, why: '' });
  });
});
