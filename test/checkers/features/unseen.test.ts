import { describe, expect, it } from 'vitest';
import { withoutUnseen } from '../../../src/checkers/features/unseen.js';

describe('withoutUnseen', () => {
  // Unicode 16, general category Cf of these code points.
  it.each([0xad, 0x61c, 0x180e, 0x200b, 0x200c, 0x200d, 0x200e, 0x200f, 0x202a, 0x202e, 0x2060, 0x2064, 0xfeff])(
    'takes the character %i away',
    (code) => {
      const sign = String.fromCodePoint(code);
      expect(withoutUnseen(`${sign}ye${sign}s`)).toBe('yes');
    },
  );

  it('writes accents and wide letters in one way, and trims', () => {
    expect(withoutUnseen(' Mu\u0308ller\u00a0')).toBe('M\u00fcller');
    expect(withoutUnseen('\uff21\uff11')).toBe('A1');
    expect(withoutUnseen('two  words')).toBe('two  words');
  });
});
