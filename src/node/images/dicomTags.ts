/** What a DICOM header says besides its pixels: ids, and what should be told. */
import { isUtf8 } from 'node:buffer';
import type { DataSet } from 'dicom-parser';
import type { ImageTags } from './imageFile.js';
import type { ImageNote } from './imageNotes.js';

/** What names patient, study, series and institution. */
export function tagsOf(header: DataSet): ImageTags {
  const ids = {
    site: textOf(header, 'x00080080'),
    patient: textOf(header, 'x00100020'),
    issuer: textOf(header, 'x00100021'),
    study: textOf(header, 'x0020000d'),
    series: textOf(header, 'x0020000e'),
  };
  return Object.fromEntries(Object.entries(ids).filter(([, id]) => id));
}

/** What the image was made by, in the code of two letters or more that DICOM has for it. */
export function modalityOf(header: DataSet): { modality?: string } {
  const modality = textOf(header, 'x00080060').replace(/[^A-Z0-9_]/g, '?');
  return modality ? { modality } : {};
}

/**
 * Bytes as text: a name of an institution may be in UTF-8, which dicom-parser reads as Latin 1. Where bytes are no UTF-8 although
 * the header says so, Latin 1 keeps them apart: letters in their place would make one patient of two.
 */
function textOf(header: DataSet, tag: string): string {
  const element = header.elements[tag];
  if (!element) return '';
  const bytes = header.byteArray.subarray(element.dataOffset, element.dataOffset + element.length);
  const asUtf8 = /UTF|_IR 192/.test(header.string('x00080005') ?? '') && isUtf8(Buffer.from(bytes));
  const text = new TextDecoder(asUtf8 ? 'utf-8' : 'latin1').decode(bytes);
  let end = text.length;
  while (text[end - 1] === '\0' || text[end - 1] === ' ') end--;
  return text.slice(0, end).trim();
}

/** @param excess bytes of pixels beyond those of the frames; one may be there to make their number even */
export function notesOf(header: DataSet, excess: number): ImageNote[] {
  const notes: ImageNote[] = [];
  if (header.elements.x00280120) notes.push('padding');
  if (header.string('x00280301')?.trim() === 'YES') notes.push('burned');
  if (excess > 1) notes.push('excess');
  return notes;
}
