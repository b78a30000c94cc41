// Reads files of a container in large blocks, of which a client then takes small ones. Each byte is given once: a
// client that reads it again gets what the file has by then.

import type { ContainerShell } from "./container-shell.ts";
import { quote } from "./shell-text.ts";

const UNIT_BYTES = 65_536;
const UNITS = 16;

export class FileReader {
  readonly #shell: ContainerShell;
  #path = "";
  #offset = 0;
  #block: Buffer = Buffer.alloc(0);

  constructor(shell: ContainerShell) {
    this.#shell = shell;
  }

  /** Fewer than `length` bytes only at the end of the file: `scp` truncates its copy at a short answer. */
  async read(path: string, offset: number, length: number): Promise<Buffer> {
    const first = await this.#take(path, offset, length);
    const missing = length - first.length;
    if (first.length === 0 || missing === 0) return first;
    const rest = await this.read(path, offset + first.length, missing);
    return rest.length === 0 ? first : Buffer.concat([first, rest]);
  }

  async #take(path: string, offset: number, length: number): Promise<Buffer> {
    if (!this.#holds(path, offset)) await this.#fetch(path, offset);
    const bytes = this.#block.subarray(0, length);
    this.#block = this.#block.subarray(bytes.length);
    this.#offset += bytes.length;
    return bytes;
  }

  forget(): void {
    this.#block = Buffer.alloc(0);
  }

  #holds(path: string, offset: number): boolean {
    return this.#path === path && this.#offset === offset && this.#block.length > 0;
  }

  async #fetch(path: string, offset: number): Promise<void> {
    const skip = Math.floor(offset / UNIT_BYTES);
    const dd = `dd if=${quote(path)} bs=${UNIT_BYTES} skip=${skip} count=${UNITS}`;
    const block = await this.#shell.run(dd);
    this.#path = path;
    this.#offset = offset;
    this.#block = block.subarray(offset - skip * UNIT_BYTES);
  }
}
