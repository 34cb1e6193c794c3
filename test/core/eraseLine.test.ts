import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { terminal } from '#io';
import { eraseLine } from '../../src/core/eraseLine.js';

const real = { write: terminal.write, isTTY: Object.getOwnPropertyDescriptor(terminal, 'isTTY') as PropertyDescriptor };
const pretend = (isTTY: boolean) => Object.defineProperty(terminal, 'isTTY', { value: isTTY, configurable: true });
let written = '';
beforeEach(() => {
  written = '';
  terminal.write = (text) => {
    written += text;
  };
});
afterEach(() => {
  terminal.write = real.write;
  Object.defineProperty(terminal, 'isTTY', real.isTTY);
});

describe('eraseLine', () => {
  it('empties the line in a terminal, in one piece with what comes in its place', () => {
    pretend(true);
    eraseLine();
    expect(written).toBe('\r\u001b[2K');
    eraseLine('a\n');
    expect(written).toBe('\r\u001b[2K\r\u001b[2Ka\n');
  });

  it('writes the text alone where no line can be drawn again', () => {
    pretend(false);
    eraseLine('a\n');
    expect(written).toBe('a\n');
  });
});
