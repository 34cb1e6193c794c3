import fs from 'node:fs/promises';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { moduleUrlOf, pathOfPlace, pathWithin } from '../../src/core/pathOfPlace.js';
import { tempFolder } from '../helpers/tempFolder.js';

const { folder: root, write } = tempFolder();

it.each([
  ['models/final/', 'models/final'],
  ['/a/b', '/a/b'],
  ['file:///a/with%20blank/', '/a/with blank'],
  ['FILE:///a', '/a'],
  ['file:///C:/models', 'C:/models'],
  ['file://./models', './models'],
  ['C:\\models\\', 'C:\\models'],
])('pathOfPlace %s is %s', (where, path) => {
  expect(pathOfPlace(where)).toBe(path);
});

it('pathWithin gives files of a folder, and none outside of it, also by a link', async () => {
  const folder = `${root}/models/`;
  await fs.mkdir(folder);
  write('models/weights', '1');
  write('secret', '2');
  await fs.symlink('../secret', `${folder}link`);
  const found = async (name: unknown) => (await pathWithin(fs as never, folder, name)) !== undefined;
  for (const name of ['weights', './weights', 'not there yet', '..weights']) expect(await found(name), name).toBe(true);
  const outside = ['../secret', 'a/../../secret', '..\\secret', '/etc/hosts', 'C:\\secret', 'link', 'file:secret', 7];
  for (const name of outside) expect(await found(name), String(name)).toBe(false);
});

describe('moduleUrlOf', () => {
  afterEach(() => vi.unstubAllGlobals());
  const at = (page: string) => vi.stubGlobal('location', new URL(page));

  it.each([
    ['./model.js', 'http://127.0.0.1:8080/app/model.js'],
    ['../model.js', 'http://127.0.0.1:8080/model.js'],
    ['/models/model.js?v=2', 'http://127.0.0.1:8080/models/model.js?v=2'],
    [new URL('http://127.0.0.1:8080/model.js'), 'http://127.0.0.1:8080/model.js'],
    ['HTTP://127.0.0.1:8080/model.js', 'http://127.0.0.1:8080/model.js'],
    ['http://127.0.0.1:8081/model.js', undefined],
    ['https://127.0.0.1:8080/model.js', undefined],
    ['//127.0.0.2/model.js', undefined],
    ['/\\127.0.0.2/model.js', undefined],
    ['data:text/javascript,export default 1', undefined],
    ['blob:http://127.0.0.1:8080/0b0b', undefined],
    ['file:///model.js', undefined],
    ['model.js', undefined],
    ['http://', undefined],
  ])('of a page: %s is %s', (place, url) => {
    at('http://127.0.0.1:8080/app/index.html');
    expect(moduleUrlOf(place)).toBe(url);
  });

  it('in Node and in a page that is a file: files alone', () => {
    for (const page of [undefined, 'file:///app/index.html']) {
      if (page) at(page);
      expect(moduleUrlOf('/a/model.js')).toBe('file:///a/model.js');
      expect(moduleUrlOf('http://127.0.0.1:8080/model.js')).toBeUndefined();
      expect(moduleUrlOf('./model.js')).toBeUndefined();
    }
  });
});
