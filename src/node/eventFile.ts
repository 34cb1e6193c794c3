/**
 * Event files of TensorBoard, as its event.proto and summary.proto and TFRecord have them: records of a length and an event, each
 * with its masked CRC-32C.
 */
import { access, appendFile, constants, mkdir, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { files } from '#io';
import type { Files } from '../core/io.js';
import { errorCode, inNewFolder, writing } from '../core/wholeFile.js';

/** Makes the folder where it is missing. */
export const checkFolder = (folder: string): Promise<void> =>
  // With the dot, a file is no folder.
  writing(folder, () => inNewFolder(files as Files, folder, () => access(`${folder}/.`, constants.W_OK)));

/** A new file, named as TensorBoard's own writers do; it gives its path. */
export const newEventFile = (folder: string): Promise<string> =>
  writing(folder, async () => {
    await mkdir(folder, { recursive: true });
    const name = `events.out.tfevents.${Math.floor(Date.now() / 1000)}.${hostname()}.${process.pid}`;
    // The start of a session takes the place of what earlier files of the folder hold.
    const head = Buffer.concat([event(0, block(3, 'brain.Event:2')), event(0, block(7, whole(1, 1)))]);
    for (let n = 0; ; n++) {
      const path = join(folder, `${name}.${n}`);
      try {
        await writeFile(path, head, { flag: 'wx' });
        return path;
      } catch (error) {
        if (errorCode(error) !== 'EEXIST') throw error;
      }
    }
  });

/** Adds one record, by one write. */
export const addScalars = (path: string, step: number, values: Readonly<Record<string, number>>): Promise<void> => {
  const each = Object.entries(values).map(([tag, value]) => block(1, Buffer.concat([block(1, tag), float(2, value)])));
  return writing(path, () => appendFile(path, event(step, block(5, Buffer.concat(each)))));
};

const event = (step: number, what: Uint8Array): Buffer =>
  record(Buffer.concat([double(1, Date.now() / 1000), whole(2, step), what]));

function record(data: Uint8Array): Buffer {
  const length = filled(8, (bytes) => bytes.writeBigUInt64LE(BigInt(data.length)));
  return Buffer.concat([length, maskedCrc(length), data, maskedCrc(data)]);
}

function filled(size: number, fill: (bytes: Buffer) => unknown): Buffer {
  const bytes = Buffer.alloc(size);
  fill(bytes);
  return bytes;
}

const REMAINDERS = Uint32Array.from({ length: 256 }, (_, byte) => {
  let rest = byte;
  for (let bit = 0; bit < 8; bit++) rest = rest & 1 ? (rest >>> 1) ^ 0x82f63b78 : rest >>> 1;
  return rest;
});

function maskedCrc(data: Uint8Array): Buffer {
  let rest = 0xffffffff;
  for (const byte of data) rest = REMAINDERS[(rest ^ byte) & 255] ^ (rest >>> 8);
  const crc = ~rest >>> 0;
  return filled(4, (bytes) => bytes.writeUInt32LE((((crc >>> 15) | (crc << 17)) + 0xa282ead8) >>> 0));
}

/** Fields of a message of Protocol Buffers: id and wire type, then the value. */
const field = (id: number, wire: number, value: Uint8Array) => Buffer.concat([varint(8 * id + wire), value]);

function varint(value: number): Buffer {
  const bytes: number[] = [];
  let rest = value;
  for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push((rest % 128) + 128);
  return Buffer.from([...bytes, rest]);
}

const whole = (id: number, value: number) => field(id, 0, varint(value));

function block(id: number, content: string | Uint8Array): Buffer {
  const bytes = Buffer.from(content as Uint8Array);
  return field(id, 2, Buffer.concat([varint(bytes.length), bytes]));
}

const double = (id: number, value: number) => fixed(id, 1, 8, (bytes) => bytes.writeDoubleLE(value));

const float = (id: number, value: number) => fixed(id, 5, 4, (bytes) => bytes.writeFloatLE(value));

const fixed = (id: number, wire: number, size: number, fill: (bytes: Buffer) => unknown) =>
  field(id, wire, filled(size, fill));
