import { afterEach, beforeEach } from 'vitest';
import { terminal } from '#io';

/** What the tests of a file or block write to the terminal, which may be one that redraws itself; put back after each test. */
export function pretendTerminal() {
  const { write } = terminal;
  const [isTTY, columns] = ['isTTY', 'columns'].map((name) => Object.getOwnPropertyDescriptor(terminal, name));
  const written: string[] = [];
  beforeEach(() => {
    written.length = 0;
    terminal.write = (text) => void written.push(text);
  });
  afterEach(() => {
    terminal.write = write;
    Object.defineProperties(terminal, { isTTY, columns } as PropertyDescriptorMap);
  });
  const pretend = (value: boolean) =>
    Object.defineProperties(terminal, {
      isTTY: { value, configurable: true },
      columns: { value: 80, configurable: true },
    });
  return { written, pretend };
}
