/** Expected numbers: test/reference/images.py, which holds the numbers that it wrote into the files. */
import { execFileSync } from 'node:child_process';
import { readFileSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Dense } from '../../../src/data/dense.js';
import { GroupKFold, StratifiedGroupKFold, UniversalCVRunner } from '../../../src/index.js';
import type { ImageSet } from '../../../src/node/images/imageSet.js';
import { readImages } from '../../../src/node/images/readImages.js';
import type { ReadImagesOptions } from '../../../src/node/images/readImagesOptions.js';
import { IMAGES, imageFolders } from '../../helpers/imageFolders.js';

/** Called when a folder was listed: what changes in it then. */
let afterListing: (() => void) | undefined;
vi.mock('node:fs/promises', async (original) => {
  const real = await original<typeof import('node:fs/promises')>();
  const readdir = (async (...given: Parameters<typeof real.readdir>) => {
    const entries = await real.readdir(...given);
    afterListing?.();
    return entries;
  }) as typeof real.readdir;
  return { ...real, readdir };
});
afterEach(() => {
  afterListing = undefined;
});

interface Case {
  readonly file?: string;
  readonly shape: number[];
  readonly values: number[];
  readonly tolerance: number;
  readonly options: ReadImagesOptions;
  readonly affine?: number[][];
  /** Parts of warnings, one for each. */
  readonly notes?: string[];
}

const FOLDER = IMAGES;
const { cases, refused } = JSON.parse(readFileSync(`${FOLDER}.json`, 'utf8')) as {
  cases: Record<string, Case>;
  refused: Record<string, string>;
};

const all = async ({ X }: ImageSet): Promise<Dense> =>
  (await X.take(Int32Array.from({ length: X.length }, (_, row) => row))) as Dense;

const thrownBy = (work: Promise<unknown>): Promise<Error & { code: string }> =>
  work.then(
    () => expect.unreachable(),
    (error) => error,
  );

const { newFolder, folderOf } = imageFolders();

describe('the numbers of every format', () => {
  it.each(Object.entries(cases))(
    '%s',
    async (name, { file = name, shape, values, tolerance, options, affine, notes = [] }) => {
      const images = await readImages(join(FOLDER, file), options);
      const read = await all(images);
      expect(read.shape).toEqual(shape);
      expect(images.shape).toEqual(shape.slice(1));
      let worst = 0;
      for (let i = 0; i < values.length; i++) worst = Math.max(worst, Math.abs(read.data[i] - Math.fround(values[i])));
      expect(read.data.length).toBe(values.length);
      expect(worst).toBeLessThanOrEqual(tolerance);
      for (const [row, line] of (affine ?? []).entries()) {
        for (const [at, value] of line.entries()) expect(images.affines[0]?.[row][at]).toBeCloseTo(value, 10);
      }
      expect(images.warnings).toEqual(notes.map((note) => expect.stringContaining(note)));
    },
  );

  it('are the same when all pixels are looked at first', async () => {
    const images = await readImages(join(FOLDER, 'jpeg2000-frames.dcm'), { check: 'pixels', cacheMegabytes: 0 });
    expect(Array.from((await all(images)).data as Float32Array)).toEqual(cases['jpeg2000-frames.dcm'].values);
  });

  it('come without a word on stdout and stderr', async () => {
    const script = `import { readImages } from ${JSON.stringify(pathToFileURL(fileURLToPath(new URL('../../../dist/node/node.js', import.meta.url))).href)};
      const { X } = await readImages(${JSON.stringify(join(FOLDER, 'jpeg2000.dcm'))});
      await X.take(Int32Array.of(0));`;
    expect(execFileSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' })).toBe('');
  });
});

describe('a file that cannot be read', () => {
  it.each(Object.entries(refused))('%s is an error that names it: %s', async (name, why) => {
    const error = await thrownBy(readImages(join(FOLDER, name), { check: 'pixels' }));
    expect(error.code).toBe('unreadable_image');
    expect((error as { file?: string }).file).toBe(name);
    expect(error.message).not.toContain(name);
    expect(error.cause).toBeUndefined();
    expect(error.message).toContain(why);
  });

  it('is found by its structure alone, where lengths tell', async () => {
    for (const name of Object.keys(refused).filter((each) => each.startsWith('truncated'))) {
      expect((await thrownBy(readImages(join(FOLDER, name)))).code).toBe('unreadable_image');
    }
  });

  it('is excluded visibly when asked for', async () => {
    const folder = folderOf({ 'a.dcm': 'explicit.dcm', 'b.dcm': 'truncated.dcm', 'c.dcm': 'report.dcm' });
    const images = await readImages(folder, { onUnreadable: 'exclude' });
    expect(images.files).toEqual(['a.dcm']);
    expect(images.excluded.map(({ file }) => file)).toEqual(['b.dcm', 'c.dcm']);
    expect(images.excluded[0].reason).toMatch(/^The file must .*truncated/);
    expect(images.warnings).toEqual(['2 image files of 3 could not be read and take no part: `excluded` names them.']);
  });

  it('is named in the warnings of a run', async () => {
    const whole = [1, 2, 3, 4].map((p) => ({ [`a/P${p}.dcm`]: 'explicit.dcm', [`b/P${p}0.dcm`]: 'rle.dcm' }));
    const folder = folderOf(Object.assign({ 'b/P5.dcm': 'truncated.dcm' }, ...whole));
    const images = await readImages(folder, { onUnreadable: 'exclude', groupsFrom: /(P\d+)/, labelsFrom: 'folder' });
    const { y = [], ...data } = { ...images };
    const cvSplitter = new StratifiedGroupKFold({ nSplits: 2 });
    const results = await new UniversalCVRunner({ cvSplitter, verbose: 0 }).run({
      model: () => ({ fit: () => undefined, predict: (X: unknown[]) => X.map(() => 'a') }),
      data: { ...data, y },
      metrics: ['accuracy'],
      positiveLabel: 'b',
    });
    expect(results.metadata.warnings).toContain(images.warnings[0]);
    expect(results.summary()).toContain('1 image file of 9 could not be read');
  });

  it('is an error when nothing else is left', async () => {
    const error = await thrownBy(readImages(folderOf({ 'b.dcm': 'truncated.dcm' }), { onUnreadable: 'exclude' }));
    expect(error.code).toBe('no_images');
    expect(error.message).toContain('Got none, 1 file excluded and 0 ignored.');
  });

  it('says so when it shrinks after it was listed', async () => {
    const folder = folderOf({ 'a.dcm': 'explicit.dcm' });
    const images = await readImages(folder);
    truncateSync(join(folder, 'a.dcm'), 600);
    expect((await thrownBy(all(images))).message).toContain('must have the 1016 bytes');
  });

  it('never shows what the file says of its patient', async () => {
    const bytes = Buffer.from(readFileSync(join(FOLDER, 'explicit.dcm')));
    const at = bytes.indexOf('1.2.840.10008.1.2.1');
    bytes.write('PRIVATE.PATIENT.ID ', at, 'latin1');
    const folder = folderOf({ 'a.dcm': 'explicit.dcm' });
    writeFileSync(join(folder, 'a.dcm'), bytes);
    const error = await thrownBy(readImages(folder));
    expect(error.message).not.toContain('PRIVATE');
  });
});

describe('patients and levels', () => {
  it('come from the tags of DICOM', async () => {
    const images = await readImages(folderOf({ 'a.dcm': 'explicit.dcm', 'b.dcm': 'frames.dcm' }));
    expect(images.groups).toEqual(['P1', 'P1', 'P1', 'P1']);
    expect(images.hierarchy).toEqual({
      site: ['S1', 'S1', 'S1', 'S1'],
      patient: ['P1', 'P1', 'P1', 'P1'],
      study: Array(4).fill('1.2.3.4.1'),
      series: Array(4).fill('1.2.3.4.1.1'),
    });
    expect(images.files).toEqual(['a.dcm', 'b.dcm', 'b.dcm', 'b.dcm']);
    expect([...images.frames]).toEqual([0, 0, 1, 2]);
  });

  it('come from names: patients, labels', async () => {
    const files = { 'sick/P1_0.png': 'grey8.png', 'well/P2_0.png': 'grey8.png', 'well/P2_1.jpg': 'grey.jpg' };
    const folder = folderOf(files);
    const images = await readImages(folder, { groupsFrom: /(P\d+)_/g, labelsFrom: 'folder' });
    expect([images.groups, images.y, images.hierarchy]).toEqual([
      ['P1', 'P2', 'P2'],
      ['sick', 'well', 'well'],
      undefined,
    ]);
    expect((await readImages(folder, { labelsFrom: /_(\d)/ })).y).toEqual([0, 0, 1]);
    const error = await thrownBy(readImages(folder, { groupsFrom: /P(1)_/ }));
    expect(error.code).toBe('no_match');
    expect(error.message).toContain('must match the expression of groupsFrom, with its first group. Got no match.');
  });

  it('come from a manifest, as a list or as CSV', async () => {
    const folder = folderOf({ 'a.png': 'grey8.png', 'b, c.png': 'grey8.png' });
    const list = [
      { file: 'b, c.png', y: 1, group: 'P1', site: 'S1' },
      { file: 'a.png', y: 0, group: 'P2', site: 'S2' },
    ];
    const fromList = await readImages(list, { root: folder });
    expect([fromList.y, fromList.groups, fromList.hierarchy]).toEqual([
      [1, 0],
      ['P1', 'P2'],
      { site: ['S1', 'S2'], patient: ['P1', 'P2'] },
    ]);
    writeFileSync(join(folder, 'list.csv'), '\ufefffile,y,group,site\r\n"b, c.png",1,P1,S1\r\na.png,0,P2,S2\r\n');
    expect({ ...(await readImages(join(folder, 'list.csv'))), X: 0 }).toEqual({ ...fromList, X: 0 });
  });

  it.each([
    ['file,file\na,b\n', 'name each column once'],
    ['path,y\na.png,1\n', "have a column 'file'"],
    ['file,y\na.png\n', 'Line 2'],
    ['file,y\n"a.png,1\n', 'a quote that does not close'],
    ['file\na.png\na.png\n', 'the file of entry 0'],
    ['file,group\na.png,P1\nb.png,\n', 'name a patient, as others do'],
    ['file,y\na.png,1\nb.png,\n', 'have a label, as others have'],
    ['file\nc.png\n', 'ENOENT'],
  ])('refuses the manifest %j', async (text, why) => {
    const folder = folderOf({ 'a.png': 'grey8.png', 'b.png': 'grey8.png' });
    writeFileSync(join(folder, 'list.csv'), text);
    expect((await thrownBy(readImages(join(folder, 'list.csv')))).message).toContain(why);
  });

  it('leaves out columns of a manifest that it does not use, and says which', async () => {
    const folder = folderOf({ 'a.png': 'grey8.png', 'b.png': 'grey8.png' });
    writeFileSync(join(folder, 'list.csv'), 'file,age,y,patient\na.png,60,1,P1\nb.png,70,0,P2\n');
    const images = await readImages(join(folder, 'list.csv'));
    expect([images.y, images.groups]).toEqual([[1, 0], undefined]);
    expect(images.warnings).toEqual([expect.stringMatching(/'age', 'patient'.*group \(the patient\)/)]);
  });

  describe('at several sites', () => {
    const list = [
      { file: 'a.png', group: 'P1', site: 'S1' },
      { file: 'b.png', group: 'P1', site: 'S2' },
    ];
    let root: string;
    beforeEach(() => {
      root = folderOf({ 'a.png': 'grey8.png', 'b.png': 'grey8.png' });
    });

    it('are asked about, without their ids', async () => {
      const error = await thrownBy(readImages(list, { root }));
      expect(error.code).toBe('patients_across_sites');
      expect(error.message).toContain('Got 1 id at several sites (as in `file` and `otherFile` of this error). Write');
      expect(error).toMatchObject({ file: 'a.png', otherFile: 'b.png' });
      expect(error.message).not.toContain('P1');
    });

    it('that differ in capitals or blanks alone are told, with one file of each', async () => {
      const names = ['General Hospital', 'GENERAL  HOSPITAL '];
      const written = list.map((entry, at) => ({ ...entry, site: names[at] }));
      const { message } = await thrownBy(readImages(written, { root }));
      expect(message).toContain(
        'Got 1 id at several sites (as in `file` and `otherFile` of this error); of 1 the sites differ in capitals or blanks alone. Write',
      );
      const images = await readImages(written, { root, patientsAcrossSites: 'different' });
      expect(images.warnings).toEqual([
        '1 site is written in several ways (capitals or blanks), and each way counts as a site of its own. A list with `site` can name them in one way.',
      ]);
      expect((await readImages(list, { root, patientsAcrossSites: 'same' })).warnings).toEqual([]);
    });

    it('are what the author says', async () => {
      expect((await readImages(list, { root, patientsAcrossSites: 'same' })).groups).toEqual(['P1', 'P1']);
      const { groups, hierarchy } = await readImages(list, { root, patientsAcrossSites: 'different' });
      expect(new Set(groups).size).toBe(2);
      expect(hierarchy?.patient).toEqual(groups);
    });
  });
});

describe('a folder', () => {
  it('of several sizes is refused with their counts', async () => {
    const error = await thrownBy(
      readImages(folderOf({ 'a.png': 'grey8.png', 'b.png': 'grey8.png', 'c.png': 'rgb.png' })),
    );
    expect(error).toMatchObject({ code: 'mixed_sizes', file: 'c.png' });
    expect(error.message).toContain('Got 16 x 16 x 1 (2 files), 16 x 16 x 3 (1 file)');
    expect(error.message).toContain('Grey and colour');
    expect(error.message).not.toContain('.png');
  });

  it('of DICOM of several depths is told with counts, unless a window or a rescale makes their numbers comparable', async () => {
    const folder = folderOf({ 'a.dcm': 'byte.dcm', 'b.dcm': 'explicit.dcm', 'c.dcm': 'byte.dcm' });
    expect((await readImages(folder)).warnings).toEqual([
      "The images store their pixels in several ranges: 8 bits, 256 values (2 files), 12 bits, 4096 values (1 file). They are read as stored, so bring them to one, or pass `window: 'file'`.",
    ]);
    expect((await readImages(folder, { window: { center: 100, width: 200 } })).warnings).toEqual([]);
    // 16 bits with a slope of 2, 12 bits without one.
    const rescaled = folderOf({ 'a.dcm': 'signed.dcm', 'b.dcm': 'explicit.dcm' });
    expect((await readImages(rescaled)).warnings).toEqual([]);
    expect((await readImages(rescaled, { values: 'stored' })).warnings[0]).toContain('16 bits, 65536 values (1 file)');
  });

  it('is read by no window of its files where numbers are as they are stored: those are of rescaled ones', async () => {
    const folder = folderOf({ 'a.dcm': 'signed.dcm' });
    expect((await thrownBy(readImages(folder, { values: 'stored', window: 'file' }))).message).toBe(
      "The `window` option of readImages must be numbers with values: 'stored'. Got 'file', which is a window of rescaled values.",
    );
  });

  it('of several formats is refused unless they are named', async () => {
    const folder = folderOf({ 'a.png': 'grey8.png', 'b.dcm': 'explicit.dcm' });
    expect((await thrownBy(readImages(folder))).code).toBe('mixed_formats');
    const images = await readImages(folder, { formats: ['dicom'] });
    expect([images.files, images.ignored]).toEqual([['b.dcm'], ['a.png']]);
  });

  it('may hold other files, which are listed, and hidden ones', async () => {
    const folder = folderOf({ IM0001: 'explicit.dcm', '.hidden.dcm': 'text.dcm', 'notes.txt': 'text.dcm' });
    const images = await readImages(pathToFileURL(folder));
    expect([images.files, images.ignored]).toEqual([['IM0001'], ['notes.txt']]);
  });

  it('that is not there is an error', async () => {
    expect((await thrownBy(readImages(join(newFolder(), 'nowhere')))).code).toBe('missing_file');
  });

  it.each([
    [{ window: { center: 1, width: 2 } }, 'the files are png, not DICOM'],
    [{ rows: 'volume' as const }, 'the files are png'],
    [{ groupsFrom: /P\d/ }, 'a regular expression with a group'],
    [{ window: { center: 1, width: 1 } }, 'a width above 1'],
  ])('refuses the options %j', async (options, why) => {
    const folder = folderOf({ 'a.png': 'grey8.png' });
    expect((await thrownBy(readImages(folder, options))).message).toContain(why);
  });
});

it('gives what run takes, by spreading it', async () => {
  const folder = folderOf(
    Object.fromEntries(
      [1, 2, 3, 4, 5, 6].map((p) => [`${p % 2}/P${p}.dcm`, p % 2 ? 'explicit.dcm' : 'monochrome1.dcm']),
    ),
  );
  const images = await readImages(folder, { groupsFrom: /(P\d)/, labelsFrom: 'folder' });
  const { y = [], ...data } = { ...images };
  expect(Object.keys({ ...images }).sort()).toEqual(['X', 'groups', 'hierarchy', 'y']);
  const seen: number[] = [];
  await new UniversalCVRunner({ cvSplitter: new GroupKFold({ nSplits: 3 }), verbose: 0 }).run({
    model: () => ({ fit: (X: number[][]) => seen.push(X.length), predict: (X: unknown[]) => X.map(() => 1) }),
    data: { ...data, y },
  });
  expect(seen).toEqual([4, 4, 4]);
});

/** A DICOM of one row and three channels, or other facts, in explicit little endian: PS3.5 section 7.1.2. An undefined fact is left out. */
function dicomBytes(facts: Record<string, number | string | undefined>, pixels: Uint8Array, fragments = false): Buffer {
  const short = (n: number) => Buffer.from(Uint16Array.of(n).buffer);
  const long = (n: number) => Buffer.from(Uint32Array.of(n).buffer);
  const element = (tag: number, vr: string, content: Buffer) =>
    Buffer.concat([short(tag >>> 16), short(tag & 0xffff), Buffer.from(vr), short(content.length), content]);
  const text = (content: string) => Buffer.from(content.length % 2 ? `${content} ` : content, 'latin1');
  const { syntax = '1.2.840.10008.1.2.1', ...more } = facts;
  const all: Record<string, number | string | undefined> = {
    ...{ 1048608: 'P1', 2097165: '1.2', 2621442: 3, 2621444: 'RGB', 2621446: 0, 2621456: 1 },
    ...{ 2621457: 2, 2621696: 8, 2621697: 8, 2621698: 7, 2621699: 0, ...more },
  };
  const header = Object.entries(all)
    .sort(([a], [b]) => Number(a) - Number(b))
    .flatMap(([tag, value]) => {
      if (value === undefined) return [];
      const vr = { 524416: 'LO', 1048608: 'LO', 1048609: 'LO', 2097165: 'UI', 2621444: 'CS' };
      return typeof value === 'number'
        ? element(Number(tag), 'US', short(value))
        : element(Number(tag), vr[Number(tag) as keyof typeof vr] ?? 'DS', text(value));
    });
  const item = (content: Uint8Array) => Buffer.concat([short(0xfffe), short(0xe000), long(content.length), content]);
  const items = [long(0xffffffff), item(Buffer.alloc(0)), item(pixels), short(0xfffe), short(0xe0dd), long(0)];
  const data = [Buffer.from('OB'), short(0), ...(fragments ? items : [long(pixels.length), pixels])];
  const meta = element(0x00020010, 'UI', Buffer.from(`${syntax}${'\0'.repeat(String(syntax).length % 2)}`));
  const length = element(0x00020000, 'UL', long(meta.length));
  const begin = [Buffer.alloc(128), Buffer.from('DICM'), length, meta];
  return Buffer.concat([...begin, ...header, short(0x7fe0), short(0x0010), ...data]);
}

const written = (name: string, content: Uint8Array) => {
  const folder = newFolder();
  writeFileSync(join(folder, name), content);
  return join(folder, name);
};

describe('a header of DICOM', () => {
  const six = Uint8Array.of(1, 2, 3, 4, 5, 6);
  it('is read where it says all that pixels need, and refused as pydicom refuses it where it does not', async () => {
    const whole = await all(await readImages(written('a.dcm', dicomBytes({}, six))));
    expect(Array.from(whole.data)).toEqual([1, 2, 3, 4, 5, 6]);
    const broken: [Record<string, number | string | undefined>, RegExp][] = [
      [{ 2621442: undefined }, /SamplesPerPixel/],
      [{ 2621444: undefined }, /PhotometricInterpretation/],
      [{ 2621444: '' }, /PhotometricInterpretation/],
      [{ 2621444: 'RBG' }, /RBG with 3 channels/],
      [{ 2621446: undefined }, /PlanarConfiguration/],
      [{ 2621446: 2 }, /PlanarConfiguration/],
      [{ 2621697: undefined }, /no BitsStored/],
      [{ 2621697: 0 }, /no BitsStored/],
      [{ 2621697: 9 }, /9 bits up to bit 7/],
      [{ 2621448: '1e0' }, /one frame or more/],
    ];
    for (const [facts, wanted] of broken) {
      const { code, message } = await thrownBy(readImages(written('a.dcm', dicomBytes(facts, six))));
      expect([code, message]).toEqual(['unreadable_image', expect.stringMatching(wanted)]);
    }
  });

  it('names patient and site in its own letters; where they are none, patients stay apart', async () => {
    const [CHARSET, SITE, PATIENT] = [0x00080005, 0x00080080, 0x00100020];
    const idsOf = async (facts: Record<number, string>) => {
      const { groups, hierarchy } = await readImages(written('a.dcm', dicomBytes(facts, six)));
      return [groups?.[0], hierarchy?.site?.[0]];
    };
    const utf8 = (text: string) => Buffer.from(text).toString('latin1');
    expect(await idsOf({ [PATIENT]: '007 ', [SITE]: 'Zürich\0' })).toEqual(['007', 'Zürich']);
    const unicode = { [CHARSET]: 'ISO_IR 192' };
    expect(await idsOf({ ...unicode, [PATIENT]: ' P1', [SITE]: utf8('Zürich ') })).toEqual(['P1', 'Zürich']);
    for (const name of ['Müller', 'Möller']) expect((await idsOf({ ...unicode, [PATIENT]: name }))[0]).toBe(name);
  });

  it('tells pixel padding, text that is burned in, and bytes beyond a filled up one', async () => {
    const [PADDING, BURNED] = [0x00280120, 0x00280301];
    const warningsOf = async (facts: Record<number, string | number>, bytes: number) =>
      (await readImages(written('a.dcm', dicomBytes(facts, new Uint8Array(bytes))))).warnings;
    expect(await warningsOf({ [BURNED]: 'NO' }, 7)).toEqual([]);
    expect(await warningsOf({ [PADDING]: 0, [BURNED]: 'YES ' }, 8)).toEqual([
      expect.stringContaining('pixel padding'),
      expect.stringContaining('burned into'),
      expect.stringContaining('more bytes than the header asks for'),
    ]);
  });

  it('of colours of 16 bits in lossless JPEG is refused, which the decoder would read as other numbers', async () => {
    const facts = { syntax: '1.2.840.10008.1.2.4.70', 2621696: 16, 2621697: 16, 2621698: 15 };
    const { message } = await thrownBy(readImages(written('a.dcm', dicomBytes(facts, six, true))));
    expect(message).toContain('must have colours of 8 bits in lossless JPEG');
    // SOI, and the header of a frame of 12 bits, 1 x 2, with three components; and the end.
    const stream = Buffer.from('ffd8ffc300110c0001000203011100021100031100ffd9', 'hex');
    const hidden = { syntax: '1.2.840.10008.1.2.4.70' };
    const images = await readImages(written('b.dcm', dicomBytes(hidden, stream, true)));
    expect((await thrownBy(all(images))).message).toContain('colours of 8 bits in lossless JPEG. Got 12');
  });

  it('with texts of 60,000 letters takes no time', async () => {
    const blanks = `P${' '.repeat(60_000)}1`;
    const images = await readImages(written('a.dcm', dicomBytes({ 1048608: blanks }, six)));
    expect(images.groups).toEqual([blanks]);
    const slope = { 2625618: '0', 2625619: `${'1'.repeat(60_000)}x` };
    expect((await thrownBy(readImages(written('b.dcm', dicomBytes(slope, six))))).message).toContain('another text');
  });
});

describe('a NIfTI', () => {
  it('has a size along each axis: two negative ones are none', async () => {
    const nifti = Buffer.from(readFileSync(join(FOLDER, 'volume.nii')));
    for (const at of [42, 44]) nifti.writeInt16LE(-nifti.readInt16LE(at), at);
    const { code, message } = await thrownBy(readImages(written('a.nii', nifti)));
    expect([code, message]).toEqual(['unreadable_image', expect.stringContaining('must have a size')]);
  });
});

describe('a small file that asks for much', () => {
  it('is refused before it has a place in memory', async () => {
    const frames = dicomBytes({ 2621448: '4294967296' }, Buffer.alloc(700));
    const large = { 2621456: 60000, 2621457: 60000 };
    const rle = { ...large, syntax: '1.2.840.10008.1.2.5', 2621442: 1, 2621444: 'MONOCHROME2' };
    const nifti = Buffer.from(readFileSync(join(FOLDER, 'volume.nii')));
    const nii = Buffer.concat([nifti, Buffer.alloc(2 ** 26)]);
    const header = nifti.subarray(0, nifti.readFloatLE(108));
    header.writeInt16LE(30000, 42);
    header.writeInt16LE(30000, 44);
    for (const [name, content, wanted] of [
      ['a.dcm', frames, /truncated/],
      ['b.dcm', dicomBytes(rle, Buffer.alloc(80), true), /`maxPixels`/],
      ['c.dcm', dicomBytes({ ...rle, 2621456: 9000, 2621457: 9000 }, Buffer.alloc(80), true), /`maxRatio`/],
      ['d.nii.gz', gzipSync(nii, { level: 1 }), /unpack to at most|at most 67108864/],
      ['e.nii.gz', gzipSync(header), /truncated/],
    ] as const) {
      const { code, message } = await thrownBy(readImages(written(name, content)));
      expect([code, message]).toEqual(['unreadable_image', expect.stringMatching(wanted)]);
    }
  });

  it('within a frame, or behind the pixels of a PNG, is not unpacked', async () => {
    const syntax = '1.2.840.10008.1.2.4.50';
    // The header of a JPEG of 65500 x 65500 pixels.
    const stream = Buffer.from('ffd8ffc0001108ffdcffdc03011100021100031100ffd9', 'hex');
    const frame = await readImages(written('a.dcm', dicomBytes({ syntax }, stream, true)));
    expect((await thrownBy(all(frame))).message).toContain('Got 65500 x 65500 x 3');
    const wavelet = Buffer.alloc(60);
    wavelet.write('ff4fff51002f0000', 0, 'hex');
    wavelet.writeUInt32BE(2 ** 31, 8);
    wavelet.writeUInt32BE(2 ** 31, 12);
    wavelet.write('ffd9', 58, 'hex');
    const j2k = await readImages(written('b.dcm', dicomBytes({ syntax: '1.2.840.10008.1.2.4.90' }, wavelet, true)));
    expect((await thrownBy(all(j2k))).message).toContain('Got 2147483648 x 2147483648');
    const png = readFileSync(join(FOLDER, 'grey8.png'));
    const chunk = (kind: string, content: Buffer) => {
      const length = Buffer.alloc(4);
      length.writeUInt32BE(content.length);
      return Buffer.concat([length, Buffer.from(kind), content, Buffer.alloc(4)]);
    };
    const zeros = deflateSync(Buffer.alloc(2 ** 24));
    const inside = Buffer.concat([png.subarray(0, 33), chunk('IDAT', zeros), chunk('IEND', Buffer.alloc(0))]);
    expect((await thrownBy(readImages(written('a.png', inside), { check: 'pixels' }))).message).toContain('damaged');
    // A profile takes no part, so that it is not unpacked, whatever it holds.
    const profile = Buffer.concat([
      png.subarray(0, 33),
      chunk('iCCP', Buffer.from('a\0\0no profile')),
      png.subarray(33),
    ]);
    expect((await all(await readImages(written('b.png', profile)))).data.length).toBe(256);
  });

  it('of packed DICOM is refused by its ratio, and may be raised', async () => {
    const plain = dicomBytes({ syntax: '1.2.840.10008.1.2.1.99' }, Buffer.alloc(2 ** 26 + 2));
    const at = plain.indexOf('1.2.840.10008.1.2.1.99') + 22;
    const packed = Buffer.concat([plain.subarray(0, at), deflateRawSync(plain.subarray(at), { level: 1 })]);
    expect((await thrownBy(readImages(written('a.dcm', packed), { maxRatio: 1 }))).code).toBe('unreadable_image');
    expect((await thrownBy(readImages(written('a.dcm', packed), { maxRatio: 2000 }))).message).toContain(
      'more than a frame',
    );
  });
});

it('what is no file, or no longer there is named: a pipe, and a file that others remove, which is counted and takes no part', async () => {
  const folder = folderOf({ 'a.dcm': 'explicit.dcm', 'b.dcm': 'explicit.dcm', 'sub/c.dcm': 'explicit.dcm' });
  afterListing = () => {
    rmSync(join(folder, 'b.dcm'), { force: true });
    rmSync(join(folder, 'sub'), { force: true, recursive: true });
  };
  const images = await readImages(folder);
  expect(images.files).toEqual(['a.dcm']);
  expect(images.excluded.map(({ file }) => file)).toEqual(['b.dcm', 'sub']);
  expect(images.warnings[0]).toMatch(/^2 image files of 3 could not be read/);
  rmSync(join(folder, 'a.dcm'));
  expect((await thrownBy(all(images))).code).toBe('unreadable_image');
  if (process.platform === 'win32') return;
  execFileSync('sh', ['-c', 'mkfifo "$0"', join(folder, 'p.dcm')]);
  expect((await thrownBy(readImages([{ file: 'p.dcm' }], { root: folder }))).message).toContain('a pipe or a device');
});

describe('patients of DICOM', () => {
  const six = Uint8Array.of(1, 2, 3, 4, 5, 6);
  const folderWith = (...files: Record<number, string>[]) => {
    const folder = newFolder();
    files.forEach((facts, at) => {
      writeFileSync(join(folder, `${at}.dcm`), dicomBytes(facts, six));
    });
    return folder;
  };
  const [PATIENT, ISSUER, STUDY] = [0x00100020, 0x00100021, 0x0020000d];
  const codeOf = async (folder: string, options = {}) => (await thrownBy(readImages(folder, options))).code;

  it('with one study under two ids are asked about, also through a third', async () => {
    const files = [
      { [PATIENT]: 'A', [STUDY]: '1.1' },
      { [PATIENT]: 'B', [STUDY]: '1.1' },
      { [PATIENT]: 'B', [STUDY]: '1.2' },
      { [PATIENT]: 'C', [STUDY]: '1.2' },
      { [PATIENT]: 'D', [STUDY]: '1.3' },
    ];
    const folder = folderWith(...files);
    expect(await codeOf(folder)).toBe('studies_across_patients');
    const same = await readImages(folder, { studiesAcrossPatients: 'same' });
    expect(same.groups).toEqual(['A', 'A', 'A', 'A', 'D']);
    const { groups, hierarchy } = await readImages(folder, { studiesAcrossPatients: 'different' });
    expect(groups).toEqual(['A', 'B', 'B', 'C', 'D']);
    expect(new Set(hierarchy?.study).size).toBe(5);
  });

  it('of two issuers with one id are two; one without an issuer is asked about there', async () => {
    const two = [{ [ISSUER]: 'N' }, { [ISSUER]: 'S', [STUDY]: '2' }];
    expect(new Set((await readImages(folderWith(...two))).groups).size).toBe(2);
    expect((await readImages(folderWith({}, { [ISSUER]: 'N' }))).groups).toEqual(['P1', 'P1']);
    expect(await codeOf(folderWith(...two, { [STUDY]: '3' }))).toBe('missing_issuer');
  });

  it('that a word stands for are asked about where it has several studies', async () => {
    for (const word of ['ANONYMOUS', 'Anonymized', 'ANON', 'anon^patient', 'PATIENT', 'UNKNOWN', '0000']) {
      const [first, second] = [
        { [PATIENT]: word, [STUDY]: '1.1' },
        { [PATIENT]: word, [STUDY]: '1.2' },
      ];
      expect([word, await codeOf(folderWith(first, second))]).toEqual([word, 'placeholder_patient']);
      expect((await readImages(folderWith(first, first))).groups).toEqual([word, word]);
      const named = await readImages(folderWith(first, second), { groupsFrom: /(.+)/ });
      expect(named.groups).toEqual(['0.dcm', '1.dcm']);
    }
    const names = ['1000', 'NAN-12', 'PATIENT7', 'ANONA'].map((word, at) => ({ [PATIENT]: word, [STUDY]: `1.${at}` }));
    expect((await readImages(folderWith(...names, { ...names[0], [STUDY]: '2' }))).groups).toHaveLength(5);
  });
});

it('a manifest names files within its root alone, also by links', async () => {
  const outside = folderOf({ 'x.dcm': 'explicit.dcm' });
  const folder = folderOf({ 'a.dcm': 'explicit.dcm' });
  symlinkSync(join(outside, 'x.dcm'), join(folder, 'link.dcm'));
  for (const file of [`../${basename(outside)}/x.dcm`, join(outside, 'x.dcm'), 'link.dcm']) {
    writeFileSync(join(folder, 'm.csv'), `file,y\n${file},1\n`);
    expect((await thrownBy(readImages(join(folder, 'm.csv')))).code).toBe('outside_root');
    expect((await thrownBy(readImages([{ file }], { root: folder }))).code).toBe('outside_root');
  }
  writeFileSync(join(folder, 'm.csv'), 'file,y\na.dcm,1\n');
  expect((await readImages(join(folder, 'm.csv'))).files).toEqual(['a.dcm']);
});
