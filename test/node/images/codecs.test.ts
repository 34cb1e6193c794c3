import { describe, expect, it } from 'vitest';
import { MissingPackageError } from '../../../src/core/errors.js';
import { decodeBy, optionalPackage } from '../../../src/node/images/codecs.js';

const gone = () => Promise.reject(new Error("Cannot find package 'x'"));

describe('optionalPackage', () => {
  it.each([
    ['dicom-parser', 'npm install dicom-parser'],
    ['@cornerstonejs/codec-openjpeg/decodewasmjs', 'npm install @cornerstonejs/codec-openjpeg'],
  ])('names the command when %s is missing', async (name, command) => {
    const error = (await optionalPackage(name, 'Reading it', gone).catch((thrown) => thrown)) as MissingPackageError;
    expect(error).toBeInstanceOf(MissingPackageError);
    expect(error.message).toBe(
      `Reading it needs the package '${error.packageName}', which could not be loaded. Run: ${command}`,
    );
  });

  it('gives the default export, or all where there is none', async () => {
    expect(await optionalPackage('a', 'b', async () => ({ default: 1 }))).toBe(1);
    expect(await optionalPackage('a', 'b', async () => ({ decode: 1 }))).toEqual({ decode: 1 });
  });
});

describe('decodeBy', () => {
  it.each(['jpeg', 'jpegLs', 'jpeg2000', 'htj2k'] as const)(
    'gives no pixels of bytes that are no %s',
    async (codec) => {
      const pixels = await decodeBy(codec, new Uint8Array(100)).then(
        ({ bytes }) => bytes.length,
        () => 0,
      );
      expect(pixels).toBe(0);
    },
  );
});
