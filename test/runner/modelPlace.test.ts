import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { FoldContext } from '../../src/runner/frameworkAdapter.js';
import { modelPlaces } from '../../src/runner/modelFolder.js';
import { placeFor, refuseOnePlace, resolvedPlace } from '../../src/runner/modelPlace.js';
import { isPlace } from '../../src/runner/placeOption.js';

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

  it('may be one path for one fold', () => {
    for (const place of ['models/{fold}', () => 'models']) refuseOnePlace(place, 2, 'It');
    refuseOnePlace('models', 1, 'It');
  });

  it('are compared as what they stand for', () => {
    for (const [place, same] of [
      ['/m/f/../q', '/m/q'],
      ['m//f/./q/', 'm/f/q'],
      ['./m', 'm'],
      ['../../m', '../x/../../m'],
      ['/../m', '/m'],
      ['C:\\m\\f\\..\\q', 'C:/m/q'],
      ['file:///m/f/../q', 'file:///m/q'],
      ['http://host/f/../q', 'http://host//q'],
    ]) {
      expect(resolvedPlace(place)).toBe(resolvedPlace(same));
    }
    for (const [place, other] of [
      ['/m', 'm'],
      ['../m', 'm'],
      ['file:///m', '/m'],
      ['m/...', 'm'],
    ]) {
      expect(resolvedPlace(place)).not.toBe(resolvedPlace(other));
    }
    const places = modelPlaces(({ fold }) => `/m/${fold}/../q`);
    places.reserve({ ...ctx, fold: 'a' });
    expect(() => places.reserve({ ...ctx, fold: 'b' })).toThrow('must give every fold a place of its own');
    expect(places.of('a')).toBe('/m/a/../q');
  });
});
