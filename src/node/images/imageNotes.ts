/** What is told of files that are read as they are, although they say more. */
import { counted } from '../../core/format.js';

const NOTES = {
  padding:
    'a value is named for pixels outside of what was taken (pixel padding), which stays a number like the others',
  burned: 'text is burned into the pixels, which may name the patient or the label',
  excess: 'there are more bytes than the header asks for; what is left over is not read',
  turned: 'EXIF says that the picture is turned or mirrored; it is read as it is stored',
  transparent: 'a colour is named as transparent; it is read as it is stored',
  unplaced: 'there is neither sform nor qform, so that the affine holds the sizes of voxels alone',
} as const;
export type ImageNote = keyof typeof NOTES;

interface NotedFile {
  readonly name: string;
  readonly image: {
    readonly notes?: readonly ImageNote[];
    readonly modality?: string;
    readonly storedBits?: number;
    readonly affine?: readonly (readonly number[])[];
  };
}

/** A sentence for each kind of note, with the number of files. */
export function noteTexts(files: readonly NotedFile[]): string[] {
  return (Object.keys(NOTES) as ImageNote[]).flatMap((note) => {
    const some = files.filter(({ image }) => image.notes?.includes(note));
    if (some.length === 0) return [];
    // No name of a file, which is often that of a patient: warnings go into reports.
    const place = `first in file ${files.indexOf(some[0]) + 1}`;
    return [`In ${counted(some.length, 'image file')} of ${files.length}, ${NOTES[note]} (${place}).`];
  });
}

/** NIfTI files whose axes point in several ways: one is the mirror image of another for whoever looks at voxels alone. */
export function axesTexts(files: readonly NotedFile[]): string[] {
  const words = several(
    files.flatMap(({ image: { affine, notes } }) => (affine && !notes?.includes('unplaced') ? [axesOf(affine)] : [])),
  );
  return words
    ? [`The axes of the volumes point in several ways: ${words}. They are read as stored, so bring them to one.`]
    : [];
}

/** DICOM of several kinds of devices: their numbers have different units, or none. */
export function modalityTexts(files: readonly NotedFile[]): string[] {
  const words = several(files.flatMap(({ image: { modality } }) => modality ?? []));
  return words ? [`The images are of several modalities, whose numbers mean different things: ${words}.`] : [];
}

/** DICOM of several depths: 255 is the largest number of one, and a dark grey of another. */
export function bitsTexts(files: readonly NotedFile[]): string[] {
  const words = several(
    files.flatMap(({ image: { storedBits } }) =>
      storedBits === undefined ? [] : `${storedBits} bits, ${2 ** storedBits} values`,
    ),
  );
  return words
    ? [
        `The images store their pixels in several ranges: ${words}. They are read as stored, so bring them to one, or pass \`window: 'file'\`.`,
      ]
    : [];
}

/** The most frequent first, with counts; undefined where all are the same. */
function several(all: readonly string[]): string | undefined {
  const counts = new Map<string, number>();
  for (const each of all) counts.set(each, (counts.get(each) ?? 0) + 1);
  if (counts.size < 2) return undefined;
  const sorted = [...counts].sort((a, b) => b[1] - a[1]);
  return sorted.map(([each, n]) => `${each} (${counted(n, 'file')})`).join(', ');
}

/** Where each axis of the file points, as `RAS`: right or left, anterior or posterior, superior or inferior. */
function axesOf(affine: readonly (readonly number[])[]): string {
  return [0, 1, 2]
    .map((axis) => {
      const column = [0, 1, 2].map((row) => affine[row][axis]);
      const most = column.reduce((best, each, row) => (Math.abs(each) > Math.abs(column[best]) ? row : best), 0);
      return (column[most] < 0 ? 'LPI' : 'RAS')[most];
    })
    .join('');
}
