/**
 * The wire format of protocol buffers, as far as `.onnx` files use it. Source: "Encoding" in the documentation of Protocol
 * Buffers. Nothing is copied: fields are views of the bytes that they are read from.
 */

/** One field of a message. */
export interface Field {
  readonly number: number;
  /** A number of variable length; undefined for other kinds. */
  readonly value?: bigint;
  /** Text, bytes, a message, or packed numbers; undefined for other kinds. */
  readonly bytes?: Uint8Array;
  /** The whole field, with its tag, as it stands in the message. */
  readonly raw: Uint8Array;
}

/** Thrown for bytes that are no message; the caller says what they should have been. */
export class NotAMessage extends Error {}

const VARINT = 0;
const FIXED64 = 1;
const BYTES = 2;
const FIXED32 = 5;

/** The fields of a message in their order. Throws {@link NotAMessage} where the bytes are none. */
export function* fieldsOf(message: Uint8Array): Generator<Field> {
  for (let at = 0; at < message.length; ) {
    const from = at;
    const [tag, afterTag] = varint(message, at);
    const number = Number(tag >> 3n);
    const wire = Number(tag & 7n);
    if (number === 0) throw new NotAMessage('a field without a number');
    at = afterTag;
    if (wire === VARINT) {
      const [value, end] = varint(message, at);
      at = end;
      yield { number, value, raw: message.subarray(from, at) };
      continue;
    }
    const [length, start] = wire === BYTES ? varint(message, at) : [lengthOf(wire), at];
    at = start + Number(length);
    if (at > message.length) throw new NotAMessage('a field that is longer than the file');
    const raw = message.subarray(from, at);
    yield wire === BYTES ? { number, bytes: message.subarray(start, at), raw } : { number, raw };
  }
}

function lengthOf(wire: number): bigint {
  if (wire === FIXED64) return 8n;
  if (wire === FIXED32) return 4n;
  throw new NotAMessage(`the unknown wire type ${wire}`);
}

/** A number of variable length, and where the next byte is. */
function varint(bytes: Uint8Array, from: number): [value: bigint, end: number] {
  let value = 0n;
  for (let at = from; at < bytes.length && at < from + 10; at++) {
    value |= BigInt(bytes[at] & 127) << BigInt(7 * (at - from));
    if (bytes[at] < 128) return [BigInt.asUintN(64, value), at + 1];
  }
  throw new NotAMessage('a number that does not end');
}

/** Signed 64-bit integers of a repeated field, which may be written one by one or packed. */
export function integersOf({ value, bytes }: Field): bigint[] {
  if (value !== undefined) return [BigInt.asIntN(64, value)];
  const found: bigint[] = [];
  for (let at = 0; bytes && at < bytes.length; ) {
    const [each, end] = varint(bytes, at);
    found.push(BigInt.asIntN(64, each));
    at = end;
  }
  return found;
}

const decoder = new TextDecoder();

/** Text of a field; empty where it is no text. */
export const textOf = ({ bytes }: Field): string => decoder.decode(bytes);

/** A field that holds a number. */
export const numberField = (number: number, value: number | bigint): Uint8Array =>
  joined([varintBytes(BigInt(number << 3)), varintBytes(BigInt.asUintN(64, BigInt(value)))]);

/** A field that holds text, or a message that is joined of its fields. */
export function bytesField(number: number, content: string | readonly Uint8Array[]): Uint8Array {
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : joined(content);
  return joined([varintBytes(BigInt((number << 3) | BYTES)), varintBytes(BigInt(bytes.length)), bytes]);
}

function varintBytes(value: bigint): Uint8Array {
  const bytes: number[] = [];
  let rest = value;
  do {
    const low = Number(rest & 127n);
    rest >>= 7n;
    bytes.push(rest > 0n ? low | 128 : low);
  } while (rest > 0n);
  return Uint8Array.from(bytes);
}

/** Bytes one after the other. */
export function joined(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const out = new Uint8Array(parts.reduce((size, { length }) => size + length, 0));
  let at = 0;
  for (const part of parts) {
    out.set(part, at);
    at += part.length;
  }
  return out;
}
