/** In the place of a folder, for a page or a `Blob`: what an adapter writes to its model's path and reads from there. */
export class MemoryPlace {
  readonly #path: string;
  readonly #parts: Map<string, Uint8Array<ArrayBuffer>>;

  constructor(path: string, parts: Map<string, Uint8Array<ArrayBuffer>>) {
    this.#path = path;
    this.#parts = parts;
  }

  /** @param name follows the path of the model: `/weights.bin` */
  write(name: string, content: string | Uint8Array<ArrayBuffer>): void {
    this.#parts.set(`${this.#path}${name}`, typeof content === 'string' ? new TextEncoder().encode(content) : content);
  }

  /** Undefined where nothing was written under the name. */
  read(name: string): Uint8Array<ArrayBuffer> | undefined {
    return this.#parts.get(`${this.#path}${name}`);
  }

  text(name: string): string {
    return new TextDecoder().decode(this.read(name));
  }
}
