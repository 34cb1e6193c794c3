/** What a hospital export holds besides images, and lists of files. */
import { readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { asLabels } from '../../../src/node/images/listFiles.js';
import { readImages } from '../../../src/node/images/readImages.js';
import { rejection } from '../../helpers/failure.js';
import { IMAGES, imageFolders } from '../../helpers/imageFolders.js';

const FIXTURES = IMAGES;
const { folderOf } = imageFolders();

describe('a folder', () => {
  it('as hospitals export it: nested, without endings, in capitals, with what systems leave behind', async () => {
    const folder = folderOf({
      'A/B/IM0001': 'explicit.dcm',
      'A/B/IM0002.DCM': 'rle.dcm',
      'A/.DS_Store': 'text.dcm',
      '__MACOSX/A/._IM0001': 'text.dcm',
      '.trash/IM0001': 'explicit.dcm',
      'Thumbs.db': 'text.dcm',
      'A/empty': 'empty.dcm',
    });
    // A DICOMDIR says by its kind that it lists files.
    const bytes = readFileSync(join(FIXTURES, 'explicit.dcm'));
    const at = bytes.indexOf('1.2.840.10008.5.1.4.1.1.7');
    bytes.fill(0, at, at + 26).write('1.2.840.10008.1.3.10', at, 'latin1');
    writeFileSync(join(folder, 'DICOMDIR'), bytes);
    const images = await readImages(folder);
    expect(images.files).toEqual(['A/B/IM0001', 'A/B/IM0002.DCM']);
    expect(images.ignored).toEqual(['A/empty', 'DICOMDIR', 'Thumbs.db']);
    // Nothing of the other files; the two that are read have 12 and 16 bits.
    expect(images.warnings).toEqual([expect.stringContaining('12 bits, 4096 values (1 file), 16 bits, 65536 values')]);
  });

  it('with links: they are followed, and nothing is taken twice', async () => {
    const folder = folderOf({ 'a/1.dcm': 'explicit.dcm' });
    const other = folderOf({ 'x/2.dcm': 'rle.dcm', '3.dcm': 'big-endian.dcm' });
    symlinkSync(other, join(folder, 'b'));
    symlinkSync(folder, join(folder, 'a/loop'));
    symlinkSync(join(folder, 'a'), join(folder, 'c'));
    symlinkSync(join(folder, 'a/1.dcm'), join(folder, '0.dcm'));
    symlinkSync(join(other, '3.dcm'), join(folder, 'd.dcm'));
    const images = await readImages(folder);
    expect(images.files).toEqual(['a/1.dcm', 'b/3.dcm', 'b/x/2.dcm']);
    expect(images.ignored).toEqual(['0.dcm', 'a/loop', 'c', 'd.dcm']);
    expect(images.X.length).toBe(3);
  });

  it('with a link to nothing is an error that names it', async () => {
    const folder = folderOf({ 'a.dcm': 'explicit.dcm' });
    symlinkSync(join(folder, 'gone.dcm'), join(folder, 'b.dcm'));
    await expect(readImages(folder)).rejects.toMatchObject({
      code: 'unreadable_image',
      file: 'b.dcm',
      message: expect.stringMatching(/Got ENOENT: no such file or directory\.$/),
    });
  });

  it.runIf(process.platform !== 'win32')('with a socket, which is no file, does not open it', async () => {
    const folder = folderOf({ 'a.dcm': 'explicit.dcm' });
    const server = createServer();
    await new Promise<void>((done) => server.listen(join(folder, 'b.dcm'), done));
    expect((await readImages(folder)).files).toEqual(['a.dcm']);
    await new Promise((done) => server.close(done));
  });

  it('with images of other formats says so', async () => {
    const folder = folderOf({ 'a.png': 'grey8.png', 'b.TIF': 'text.dcm', 'c/d.nrrd': 'text.dcm', 'e.txt': 'text.dcm' });
    expect((await readImages(folder)).warnings).toEqual([
      '2 files of formats that readImages does not read take no part: `ignored` names them.',
    ]);
    expect((await readImages(folder, { formats: ['png'] })).warnings).toEqual([]);
  });

  it('with pictures of 8 and of 16 bits is refused: 255 is white in one and nearly black in the other', async () => {
    const folder = folderOf({ 'a.png': 'grey8.png', 'b.png': 'grey16.png', 'c.jpg': 'grey.jpg' });
    await expect(readImages(folder)).rejects.toMatchObject({
      code: 'mixed_formats',
      file: 'b.png',
      message: expect.stringContaining('Got PNG or JPEG of 8 bits (2 files), PNG or JPEG of 16 bits (1 file)'),
    });
  });

  it('with DICOM of several modalities says so', async () => {
    const folder = folderOf({ 'a.dcm': 'ct.dcm', 'b.dcm': 'explicit.dcm', 'c.dcm': 'mr.dcm' });
    expect((await readImages(folder)).warnings).toEqual([
      'The images are of several modalities, whose numbers mean different things: CT (1 file), MR (1 file).',
    ]);
  });

  it('with volumes whose axes point in several ways says so', async () => {
    const folder = folderOf({ 'a.nii': 'volume.nii', 'b.nii': 'qform.nii', 'c.nii.gz': 'volume.nii.gz' });
    expect((await readImages(folder)).warnings).toEqual([
      'The axes of the volumes point in several ways: RAS (2 files), ALI (1 file). They are read as stored, so bring them to one.',
    ]);
  });
});

describe('a manifest', () => {
  const withList = (text: string | Uint8Array) => {
    const folder = folderOf({ 'a.png': 'grey8.png', 'b.png': 'grey8.png' });
    writeFileSync(join(folder, 'list.csv'), text);
    return join(folder, 'list.csv');
  };

  it('may have a byte order mark, CRLF and blanks around its cells', async () => {
    const images = await readImages(withList('\ufefffile, group ,y\r\na.png,P1 ,1\r\nb.png, P1,0\r\n'));
    expect([images.groups, images.y]).toEqual([
      ['P1', 'P1'],
      [1, 0],
    ]);
  });

  it('in Latin 1 is refused: two names would become one', async () => {
    const path = withList(Buffer.from('file,group\na.png,M\xfcller\nb.png,M\xf6ller\n', 'latin1'));
    expect(await rejection(readImages(path))).toBe(
      "wrong_encoding: The manifest 'list.csv' must be text in UTF-8. Got bytes that are none.",
    );
  });

  it('is refused by the line that has other cells, empty lines counted', async () => {
    expect(await rejection(readImages(withList('file,group\n\na.png,P1\n\nb.png\n')))).toBe(
      "invalid_data: Line 5 of the manifest 'list.csv' must have 2 cells. Got 1.",
    );
  });

  it.each([
    ['file,group\na.png,P1\nb.png,P2\n', { groupsFrom: /(\w)\./ }, 'groupsFrom'],
    ['file,y\na.png,1\nb.png,0\n', { labelsFrom: /(\w)\./ }, 'labelsFrom'],
    ['file,group\na.png,P1\nb.png,P2\n', { patientsAcrossSites: 'same' as const }, 'patientsAcrossSites'],
  ])('refuses an option that would have no effect (%#)', async (text, options, name) => {
    expect(await rejection(readImages(withList(text), options))).toContain(`The \`${name}\` option of readImages`);
  });

  it('asks about patients at several sites also where some files name none', async () => {
    const folder = folderOf({ 'a.png': 'grey8.png', 'b.png': 'grey8.png', 'c.png': 'grey8.png' });
    const list = [
      { file: 'a.png', group: 'P1', site: 'S1' },
      { file: 'b.png', group: 'P1', site: 'S2' },
      { file: 'c.png', group: 'P2' },
    ];
    expect(await rejection(readImages(list, { root: folder }))).toContain('1 id at several sites');
    expect(await rejection(readImages(list, { root: folder, patientsAcrossSites: 'different' }))).toContain(
      'and files without a site',
    );
    expect((await readImages(list, { root: folder, patientsAcrossSites: 'same' })).groups).toEqual(['P1', 'P1', 'P2']);
    // One patient with a site, and one file of the same id without: nobody can tell.
    const open = [list[0], { file: 'b.png', group: 'P1' }];
    expect(await rejection(readImages(open, { root: folder }))).toContain('and files without a site');
  });
});

it.each([
  [
    ['1', '2.5', '-3e-2', '.5'],
    [1, 2.5, -0.03, 0.5],
  ],
  [
    ['01', '1'],
    ['01', '1'],
  ],
  [
    ['1', 'NA'],
    ['1', 'NA'],
  ],
  [
    ['9007199254740993', '9007199254740992'],
    ['9007199254740993', '9007199254740992'],
  ],
])('labels %j are %j', (texts, labels) => expect(asLabels(texts)).toEqual(labels));
