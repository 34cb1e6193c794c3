import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { FoldContext } from '../../src/runner/frameworkAdapter.js';
import { isPlace, placeFor, refuseOnePlace } from '../../src/runner/modelPlace.js';

const ctx = { fold: 'repeat-1_fold-0', epoch: 4 } as FoldContext & { epoch: number };

describe('where models go', () => {
  it('fills in fold and epoch, or asks the function', () => {
    expect(placeFor('m/{fold}-{epoch}.{fold}', ctx)).toBe('m/repeat-1_fold-0-4.repeat-1_fold-0');
    expect(placeFor('m/{fold}', { ...ctx, fold: '$&-$1' })).toBe('m/__-_1');
    const handler = { save: () => undefined };
    expect(placeFor(() => handler, ctx)).toBe(handler);
    expect([isPlace('a'), isPlace(''), isPlace(() => ''), isPlace(3)]).toEqual([true, false, true, false]);
  });

  it('stays inside its folder, whatever the id', () => {
    for (const fold of ['../../x', '..', '/etc/x', 'C:\\x', 'a\0b', '%2e%2e/x', '']) {
      const place = String(placeFor('m/{fold}', { ...ctx, fold }));
      expect(path.relative('m', place)).toMatch(/^(?!\.\.?$)[^/\\]+$/);
      expect(place).toMatch(/^m\/[A-Za-z0-9._-]+$/);
    }
  });

  it('refuses one path for several folds', () => {
    expect(() => refuseOnePlace('models', 2, 'The `modelPath` option of run')).toThrowErrorMatchingInlineSnapshot(
      `[InvalidOptionError: The \`modelPath\` option of run must hold {fold}, so that no fold writes over another. Got 'models'. Use 'models/{fold}'.]`,
    );
    for (const place of ['models/{fold}', () => 'models']) refuseOnePlace(place, 2, 'It');
    refuseOnePlace('models', 1, 'It');
  });
});
