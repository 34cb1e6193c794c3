import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { errorOf, errorRecord } from '../../src/core/errorRecord.js';
import {
  AdapterError,
  CVKitError,
  FoldError,
  InfeasibleSplitError,
  InvalidDataError,
  InvalidOptionError,
  MissingPackageError,
} from '../../src/core/errors.js';

/** Through plain data, as it comes out of another process. */
const sent = (error: unknown) => errorOf(structuredClone(errorRecord(error)));

describe('errorRecord and errorOf', () => {
  it('keep class, code, message, stack and cause of errors of cvkit', () => {
    const kinds = [CVKitError, AdapterError, InvalidDataError, InvalidOptionError, InfeasibleSplitError];
    fc.assert(
      fc.property(fc.constantFrom(...kinds), fc.string(), fc.string(), fc.string(), (Kind, message, code, inner) => {
        const error = new Kind(message, { code, cause: new RangeError(inner) });
        const again = sent(error) as CVKitError;
        expect(again).toBeInstanceOf(Kind);
        expect(again).toMatchObject({ name: Kind.name, message: error.message, code, stack: error.stack });
        expect(again.cause).toMatchObject({ name: 'RangeError', message: inner });
      }),
    );
  });

  it('keep what an error says besides', () => {
    const missing = new MissingPackageError('left-pad', 'Padding', 'npm i left-pad');
    expect(sent(missing)).toMatchObject({ packageName: 'left-pad', code: 'missing_package' });
    const failed = sent(new FoldError('fold-3', new AdapterError('A must b. Got c.', { code: 'unable' })));
    expect(failed).toBeInstanceOf(FoldError);
    expect(failed).toMatchObject({ foldId: 'fold-3', code: 'unable', message: 'Fold fold-3 failed: A must b. Got c.' });
    expect(failed.cause).toBeInstanceOf(AdapterError);
  });

  it('keep errors of others, and what is no error at all', () => {
    class Strange extends Error {
      override name = 'StrangeError';
      code = 'E_STRANGE';
    }
    expect(sent(new Strange('odd'))).toMatchObject({ name: 'StrangeError', message: 'odd' });
    expect(sent(new Strange('odd'))).not.toBeInstanceOf(CVKitError);
    expect(sent('a text')).toMatchObject({ name: 'Error', message: 'a text' });
    expect(sent(undefined).message).toBe('undefined');
    expect(sent({ why: 1 }).message).toBe('an object with the keys why');
  });

  it('keep what failed in cleaning up, and end where an error causes itself', () => {
    const error = new Error('first');
    Object.defineProperty(error, 'suppressed', { value: [new TypeError('second')] });
    expect(sent(error)).toMatchObject({ suppressed: [{ name: 'TypeError', message: 'second' }] });
    error.cause = error;
    let depth = 0;
    for (let each: unknown = sent(error); each instanceof Error; each = each.cause) depth++;
    expect(depth).toBe(9);
  });
});
