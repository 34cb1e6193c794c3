/** Writes small DICOM files for examples and benchmarks: one grey frame, explicit VR little endian, nothing else. */

const LONG = new Set(['OB', 'OW', 'SQ', 'UN', 'UT']);

/** One element: tag, two letters that name its kind, and its value (text, a number of 16 bits, or bytes). */
function element([group, number], kind, value) {
  const padding = kind === 'UI' ? '\0' : ' ';
  const body =
    typeof value === 'string'
      ? Buffer.from(value.length % 2 ? value + padding : value, 'latin1')
      : typeof value === 'number'
        ? Buffer.from(Uint16Array.of(value).buffer)
        : value;
  const head = Buffer.alloc(LONG.has(kind) ? 12 : 8);
  head.writeUInt16LE(group, 0);
  head.writeUInt16LE(number, 2);
  head.write(kind, 4, 'latin1');
  if (LONG.has(kind)) head.writeUInt32LE(body.length, 8);
  else head.writeUInt16LE(body.length, 6);
  return Buffer.concat([head, body]);
}

const EXPLICIT_LITTLE_ENDIAN = '1.2.840.10008.1.2.1';
const SECONDARY_CAPTURE = '1.2.840.10008.5.1.4.1.1.7';

/**
 * The bytes of a DICOM file.
 *
 * @param pixels Uint16Array of height x width values below 4096
 */
export function dicomBytes({ pixels, height, width, patient, site, study = '1', series = '1', number = 1 }) {
  const uid = `1.2.826.0.1.3680043.10.999.${study}.${series}`;
  const meta = Buffer.concat([
    element([0x0002, 0x0002], 'UI', SECONDARY_CAPTURE),
    element([0x0002, 0x0003], 'UI', `${uid}.${number}`),
    element([0x0002, 0x0010], 'UI', EXPLICIT_LITTLE_ENDIAN),
  ]);
  const length = Buffer.alloc(12);
  length.write('\x02\0\0\0UL\x04\0', 'latin1');
  length.writeUInt32LE(meta.length, 8);
  return Buffer.concat([
    Buffer.alloc(128),
    Buffer.from('DICM'),
    length,
    meta,
    element([0x0008, 0x0016], 'UI', SECONDARY_CAPTURE),
    element([0x0008, 0x0018], 'UI', `${uid}.${number}`),
    element([0x0008, 0x0060], 'CS', 'OT'),
    element([0x0008, 0x0080], 'LO', site),
    element([0x0010, 0x0020], 'LO', patient),
    element([0x0020, 0x000d], 'UI', `1.2.826.0.1.3680043.10.999.${study}`),
    element([0x0020, 0x000e], 'UI', uid),
    element([0x0028, 0x0002], 'US', 1),
    element([0x0028, 0x0004], 'CS', 'MONOCHROME2'),
    element([0x0028, 0x0010], 'US', height),
    element([0x0028, 0x0011], 'US', width),
    element([0x0028, 0x0100], 'US', 16),
    element([0x0028, 0x0101], 'US', 12),
    element([0x0028, 0x0102], 'US', 11),
    element([0x0028, 0x0103], 'US', 0),
    element([0x0028, 0x1052], 'DS', '-1024'),
    element([0x0028, 0x1053], 'DS', '1'),
    element([0x7fe0, 0x0010], 'OW', Buffer.from(pixels.buffer, pixels.byteOffset, pixels.byteLength)),
  ]);
}
