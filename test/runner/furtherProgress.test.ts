import { afterEach, describe, expect, it } from 'vitest';
import { terminal } from '#io';
import { furtherProgress } from '../../src/runner/listeners.js';

const real = { write: terminal.write, isTTY: Object.getOwnPropertyDescriptor(terminal, 'isTTY') };

afterEach(() => {
  terminal.write = real.write;
  Object.defineProperty(terminal, 'isTTY', real.isTTY as PropertyDescriptor);
});

function run(isTTY: boolean, announced?: string): string[] {
  const written: string[] = [];
  terminal.write = (text) => void written.push(text);
  Object.defineProperty(terminal, 'isTTY', { value: isTTY, configurable: true });
  const progress = furtherProgress('20 more fits for the interval', announced);
  progress.onCvStart({ nSplits: 2 });
  progress.onFoldEnd();
  progress.onFoldEnd();
  progress.onCvEnd();
  return written;
}

describe('FurtherProgress', () => {
  it('writes one line at the end where there is no terminal', () => {
    expect(run(false)).toEqual([expect.stringMatching(/^20 more fits for the interval: 0\.\d s\n$/)]);
  });

  it('says beforehand what is given to be said', () => {
    expect(run(false, 'They take long.')).toEqual(['They take long.\n', expect.stringMatching(/ s\n$/)]);
  });

  it('counts in a line that redraws itself in a terminal', () => {
    const lines = run(true).map((text) => text.replace('\r\u001b[2K', ''));
    const title = '20 more fits for the interval';
    expect(lines.slice(0, 3)).toEqual([`${title}: 0/2`, `${title}: 1/2`, `${title}: 2/2`]);
    expect(lines[3]).toMatch(/: 0\.\d s\n$/);
  });
});
