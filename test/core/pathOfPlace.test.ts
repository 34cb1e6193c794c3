import fs from 'node:fs/promises';
import { expect, it } from 'vitest';
import { pathOfPlace, pathWithin } from '../../src/core/pathOfPlace.js';
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
