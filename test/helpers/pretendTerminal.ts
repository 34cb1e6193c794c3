import { afterEach, beforeEach } from 'vitest';
import { terminal } from '#io';

/** What the tests of a file or block write to the terminal, which may be one that redraws itself; put back after each test. */
export function pretendTerminal() {
  const real = { write: terminal.write, isTTY: Object.getOwnPropertyDescriptor(terminal, 'isTTY') };
  const written: string[] = [];
  beforeEach(() => {
    written.length = 0;
    terminal.write = (text) => void written.push(text);
  });
  afterEach(() => {
    terminal.write = real.write;
    Object.defineProperty(terminal, 'isTTY', real.isTTY as PropertyDescriptor);
  });
  const pretend = (isTTY: boolean) => Object.defineProperty(terminal, 'isTTY', { value: isTTY, configurable: true });
  return { written, pretend };
}
