import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fieldsText, float, parsePython, pythonText } from '../../../src/tuning/journal/pythonJson.js';

describe('JSON of Python', () => {
  // python3 -c "import json; print(json.dumps([3.0, -0.0, 0.1, 1e16, 1e300, float('nan'), float('-inf')]))" gives
  // [3.0, -0.0, 0.1, 1e+16, 1e+300, NaN, -Infinity]
  it('has floats apart from whole numbers, and what is no number', () => {
    const floats = [3, -0, 0.1, 1e16, 1e300, Number.NaN, Number.NEGATIVE_INFINITY];
    expect(pythonText(floats.map(float), '')).toBe('[3.0,-0.0,0.1,10000000000000000.0,1e+300,NaN,-Infinity]');
    expect(parsePython('[3.0, -0.0, 0.1, 1e+16, 1e+300, NaN, -Infinity, Infinity]')).toEqual([
      ...floats,
      Number.POSITIVE_INFINITY,
    ]);
    expect(pythonText([3, null, true, 'é"\n'], '')).toBe('[3,null,true,"é\\"\\n"]');
  });

  it('gives back any plain value', () => {
    const words = fc.constantFrom('NaN', 'Infinity', '"NaN"', '\\', '__proto__');
    const number = fc.oneof(fc.double(), fc.constantFrom(Number.NaN, Number.POSITIVE_INFINITY));
    const value = fc.jsonValue({ maxDepth: 3 }).chain((json) => fc.tuple(fc.constant(json), number, words));
    fc.assert(
      fc.property(value, (any) => {
        // JSON has no -0 of its own. Words within texts stay.
        const text = pythonText(any, '');
        expect(pythonText(parsePython(text), '')).toBe(text);
      }),
    );
  });

  it.each(['{', 'NaNa', '[NaN', 'nan', 'Infinity1'])('refuses what is no JSON: %s', (text) => {
    expect(() => parsePython(text)).toThrow(SyntaxError);
  });

  it('leaves out what is undefined in an object', () => {
    expect(fieldsText({ a: undefined, b: 1 }, '')).toBe('"b":1');
  });
});
