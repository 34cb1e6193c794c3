import { describe, expect, it } from 'vitest';
import { pathOfPlace } from '../../src/core/pathOfPlace.js';

describe('pathOfPlace', () => {
  it.each([
    ['models/final/', 'models/final'],
    ['/a/b', '/a/b'],
    ['file:///a/with%20blank/', '/a/with blank'],
    ['FILE:///a', '/a'],
    ['file:///C:/models', 'C:/models'],
    ['file://./models', './models'],
    ['C:\\models\\', 'C:\\models'],
  ])('%s is %s', (where, path) => {
    expect(pathOfPlace(where)).toBe(path);
  });
});
