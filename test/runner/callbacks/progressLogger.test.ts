import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { terminal } from '#io';
import { ProgressLogger } from '../../../src/runner/callbacks/progressLogger.js';
import { UniversalCVRunner } from '../../../src/runner/universalCVRunner.js';
import { KFold } from '../../../src/splitters/iid/kFold.js';
import { blobs, NearestMean, spyAdapter } from '../../helpers/nearestMean.js';

const real = { write: terminal.write, isTTY: Object.getOwnPropertyDescriptor(terminal, 'isTTY') };
let written: string[] = [];
const pretend = (isTTY: boolean) => Object.defineProperty(terminal, 'isTTY', { value: isTTY, configurable: true });

beforeEach(() => {
  written = [];
  terminal.write = (text) => void written.push(text);
});
afterEach(() => {
  terminal.write = real.write;
  Object.defineProperty(terminal, 'isTTY', real.isTTY as PropertyDescriptor);
});

async function run(verbose: number) {
  const { X, y } = blobs();
  await new UniversalCVRunner({ cvSplitter: new KFold({ nSplits: 2 }), adapter: spyAdapter().adapter, verbose }).run({
    model: () => new NearestMean(),
    data: [X, y],
    epochs: 2,
    metrics: ['accuracy'],
  });
}

describe('ProgressLogger', () => {
  it('draws a bar that redraws itself in a terminal, and clears it at the end', async () => {
    pretend(true);
    await run(1);
    expect(written.at(-1)).toBe('\r\u001b[2K');
    expect(written.some((text) => text.includes('50 %'))).toBe(true);
    expect(written.join('')).not.toContain('\n');
  });

  it('writes one line per fold where there is no terminal', async () => {
    pretend(false);
    await run(1);
    expect(written).toHaveLength(2);
    expect(written[0]).toMatch(/^fold-0 \(1\/2\) 0\.\d s {2}accuracy 0\.\d{3}\n$/);
  });

  it('writes a line per epoch with verbose 2, and nothing with 0', async () => {
    pretend(false);
    await run(2);
    expect(written.filter((text) => /^fold-\d epoch \d\/2 {2}loss /.test(text))).toHaveLength(4);
    written = [];
    await run(0);
    expect(written).toEqual([]);
  });

  it('can be used by itself', () => {
    pretend(false);
    new ProgressLogger().teardown();
    expect(written).toEqual([]);
  });
});
