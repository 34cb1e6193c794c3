/** dicom-parser, loaded on first use. */
import { optionalPackage } from './codecs.js';

/** @throws {MissingPackageError} where it is not installed */
export const dicomParser = () => optionalPackage<typeof import('dicom-parser')>('dicom-parser', 'Reading DICOM');
