/** Different numbers and their places: several times as fast as a Map, which keeps each fraction as an object. */

import { numberHash } from './contentHash.js';

/** Share of the slots that may be taken. */
const FULL = 0.5;

/** Different numbers, each with its place in order of appearance. NaN is one of them, and -0 is 0. */
export class DistinctNumbers {
  #numbers: Float64Array;
  /** Place of the number in each slot, plus 1; 0 for an empty one. */
  #slots: Int32Array;
  #size = 0;

  /** @param expected how many, about: more make it grow */
  constructor(expected = 16) {
    const slots = 2 ** Math.ceil(Math.log2(Math.max(2, expected / FULL)));
    this.#slots = new Int32Array(slots);
    this.#numbers = new Float64Array(slots * FULL);
  }

  get size(): number {
    return this.#size;
  }

  get numbers(): Float64Array {
    return this.#numbers.subarray(0, this.#size);
  }

  /** -1 for a number that is none of them. */
  placeOf(value: number): number {
    return this.#slots[this.#slotOf(value)] - 1;
  }

  add(value: number): number {
    let slot = this.#slotOf(value);
    const known = this.#slots[slot];
    if (known > 0) return known - 1;
    if (this.#size === this.#numbers.length) {
      this.#grow();
      slot = this.#slotOf(value);
    }
    this.#numbers[this.#size++] = value;
    this.#slots[slot] = this.#size;
    return this.#size - 1;
  }

  #slotOf(value: number): number {
    const slots = this.#slots;
    const numbers = this.#numbers;
    const mask = slots.length - 1;
    const isMissing = Number.isNaN(value);
    for (let slot = numberHash(value) & mask; ; slot = (slot + 1) & mask) {
      const place = slots[slot] - 1;
      if (place < 0) return slot;
      const other = numbers[place];
      if (other === value || (isMissing && Number.isNaN(other))) return slot;
    }
  }

  #grow(): void {
    const numbers = this.numbers;
    this.#slots = new Int32Array(2 * this.#slots.length);
    this.#numbers = new Float64Array(2 * numbers.length);
    this.#numbers.set(numbers);
    for (let place = 0; place < this.#size; place++) this.#slots[this.#slotOf(numbers[place])] = place + 1;
  }
}
