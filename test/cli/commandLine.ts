/** The command line within this process: what it prints, and its exit code. */
import { vi } from 'vitest';
import { main } from '../../src/cli/main.js';

export interface Printed {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

export async function cvkit(...words: readonly string[]): Promise<Printed> {
  const printed = { out: '', err: '' };
  const into = (name: 'out' | 'err') => (text: unknown) => {
    printed[name] += String(text);
    return true;
  };
  const spies = [
    vi.spyOn(process.stdout, 'write').mockImplementation(into('out')),
    vi.spyOn(process.stderr, 'write').mockImplementation(into('err')),
  ];
  try {
    const code = await main(words);
    return { code, ...printed };
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
}

/** Visits of patients with two measurements, of which the first tells the outcome; numbers of a fixed sequence. */
export function visits({ patients = 40, each = 2 } = {}): string {
  let state = 7;
  const next = () => {
    state = (state * 16807) % 2147483647;
    return state / 2147483647;
  };
  const rows = Array.from({ length: patients }, (_, patient) => {
    const ill = patient % 2;
    return Array.from(
      { length: each },
      () => `p${patient},${(next() + 0.6 * ill).toFixed(3)},${next().toFixed(3)},${ill}`,
    );
  });
  return ['patient,crp,age,died', ...rows.flat()].join('\n');
}
