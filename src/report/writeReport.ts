/** A report as a file, in the form that its name asks for. */
import { files } from '#io';
import { CVKitError, InvalidOptionError, phrase, sentence } from '../core/errors.js';
import { pathOfPlace } from '../core/pathOfPlace.js';
import { writeWhole } from '../core/wholeFile.js';

export type ReportForm = 'html' | 'md' | 'json';

/** The form by the ending of the name. Throws {@link InvalidOptionError} for another one. */
export function formOf(place: unknown): ReportForm {
  const name = typeof place === 'string' || place instanceof URL ? String(place) : '';
  const ending = /\.(html|md|json)$/i.exec(name)?.[1];
  if (ending) return ending.toLowerCase() as ReportForm;
  throw new InvalidOptionError(
    sentence('The place of writeReport', 'be a path or file URL that ends in .html, .md or .json', place),
    { code: 'bad_place' },
  );
}

/** Whole or not at all; what stood there before is replaced. */
export async function writeReportFile(place: string | URL, text: string): Promise<void> {
  if (!files) {
    const message = sentence('writeReport', 'run where there are files', phrase('a page'), 'Use toHTML() there.');
    throw new CVKitError(message, { code: 'no_files' });
  }
  await writeWhole(files, pathOfPlace(String(place)), text, { overwrite: true });
}
