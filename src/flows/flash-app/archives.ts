// The archives of Flash builds: files in one folder, named by their builds. An archive is staged beside its
// place while it arrives and renamed when it is complete, so that half of one is never seen.

import { createHmac } from "node:crypto";
import { mkdir, open, readdir, rename, stat, unlink } from "node:fs/promises";
import path from "node:path";
import { isSameText } from "../../base/text/same-text.ts";
import { Fault } from "../../domain/fault.ts";

export interface ArchivePermit {
  buildId: string;
  size: number;
  expiresAt: number;
}

export interface Archive {
  path: string;
  size: number;
}

/** A URL is signed for one use only. */
type Use = "upload" | "download";

const FILE = /^([a-z0-9]{1,64})\.tar\.gz$/;
const STAGED = /^[a-z0-9]{1,64}\.\d+\.part$/;

export class FlashArchives {
  readonly #folder: string;
  readonly #key: string;
  readonly #receiving = new Set<string>();
  #uploads = 0;

  /** `key` signs upload URLs. */
  constructor(folder: string, key: string) {
    this.#folder = folder;
    this.#key = key;
  }

  signatureOf(use: Use, { buildId, size, expiresAt }: ArchivePermit): string {
    return createHmac("sha256", this.#key)
      .update(`${use}\n${buildId}\n${size}\n${expiresAt}`)
      .digest("hex");
  }

  isSigned(use: Use, permit: ArchivePermit, signature: string): boolean {
    return isSameText(signature, this.signatureOf(use, permit));
  }

  /** Replaces the build's archive by a body of exactly `size` bytes. Throws a fault for any other. */
  async receive(
    { buildId, size }: Pick<ArchivePermit, "buildId" | "size">,
    body: AsyncIterable<Uint8Array>,
  ): Promise<void> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    const name = `${buildId}.${++this.#uploads}.part`;
    const staged = path.join(this.#folder, name);
    this.#receiving.add(name);
    try {
      await writeExactly(staged, size, body);
      await rename(staged, this.#place(buildId));
    } catch (error) {
      await unlink(staged).catch(() => {});
      throw error;
    } finally {
      this.#receiving.delete(name);
    }
  }

  /** The path of a build's complete archive, and its size; null if this replica does not have it. */
  async find(buildId: string): Promise<Archive | null> {
    const place = this.#place(buildId);
    const found = await stat(place).catch(() => null);
    return found && { path: place, size: found.size };
  }

  async remove(buildId: string): Promise<void> {
    await unlink(this.#place(buildId)).catch(() => {});
  }

  /** Removes the archives of all other builds, and what interrupted uploads left. */
  async keepOnly(buildIds: () => Promise<Set<string>>): Promise<void> {
    // Read before the builds are, so that a build that begins meanwhile keeps its archive.
    const names = await readdir(this.#folder).catch(() => []);
    const current = await buildIds();
    for (const name of names) {
      const id = FILE.exec(name)?.[1];
      const isLeft = STAGED.test(name) && !this.#receiving.has(name);
      if (isLeft || (id !== undefined && !current.has(id))) {
        await unlink(path.join(this.#folder, name)).catch(() => {});
      }
    }
  }

  #place(buildId: string): string {
    return path.join(this.#folder, `${buildId}.tar.gz`);
  }
}

async function writeExactly(
  file: string,
  size: number,
  body: AsyncIterable<Uint8Array>,
): Promise<void> {
  const handle = await open(file, "w", 0o600);
  let received = 0;
  try {
    for await (const chunk of body) {
      received += chunk.length;
      if (received > size) throw sizeFault(size, `more than ${size}`);
      await handle.writeFile(chunk);
    }
    if (received < size) throw sizeFault(size, `${received}`);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

function sizeFault(size: number, received: string): Fault {
  const detail = `The archive has ${received} bytes; the upload was prepared for ${size}.`;
  return new Fault("invalid_body", { detail });
}
