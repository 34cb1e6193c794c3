import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll } from 'vitest';

export const IMAGES = fileURLToPath(new URL('../reference/images', import.meta.url));

/** Folders that are gone after the tests of a file: empty ones, and ones with copies of fixtures by path. */
export function imageFolders() {
  let temp: string;
  let count = 0;
  beforeAll(() => {
    temp = mkdtempSync(join(tmpdir(), 'cvkit-images-'));
  });
  afterAll(() => rmSync(temp, { recursive: true }));
  const newFolder = () => {
    const folder = join(temp, String(count++));
    mkdirSync(folder);
    return folder;
  };
  const folderOf = (files: Record<string, string>) => {
    const folder = newFolder();
    for (const [path, fixture] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      cpSync(join(IMAGES, fixture), join(folder, path));
    }
    return folder;
  };
  return { newFolder, folderOf };
}
