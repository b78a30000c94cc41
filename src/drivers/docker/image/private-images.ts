// Access to images that were pulled with credentials. The engine offers such an image to every
// workload, so an account must first show that the registry allows it to pull the image too. The mark
// that an image is private is stored, by the image's id; a verified access is remembered only in memory,
// so that no digest of a password is on a disk.

import type { Credentials } from "../../../domain/registry-auth.ts";

/** Stored marks of private images, shared by all replicas that drive the engine. */
export interface ImageMarks {
  /** Whether one of these ids, or of these names on this engine, is marked. */
  areMarked(images: string[]): Promise<boolean>;
  /** Marks a name on this engine; resolves once the mark is durable. */
  mark(name: string): Promise<void>;
  /** Marks an id, on every engine, and removes the mark of a name on this one. */
  markId(id: string, name: string): Promise<void>;
}

/** An image that the engine has. */
export interface LocalImage {
  id: string;
  /** All its names, with tag or digest. */
  names: string[];
}

export interface Puller {
  account: string | undefined;
  auth: Credentials | undefined;
}

/** The limit of remembered pulls; beyond it, those that were verified first are verified again. */
const MAX_VERIFIED = 1_000;

export class PrivateImages {
  readonly #marks: ImageMarks;
  readonly #verified = new Set<string>();

  constructor(marks: ImageMarks) {
    this.#marks = marks;
  }

  /** Whether a workload may use the image without another pull. */
  async mayUse(name: string, { id, names }: LocalImage, puller: Puller): Promise<boolean> {
    if (this.#verified.has(keyOf(id, puller))) return true;
    return !(await this.#marks.areMarked([...new Set([id, name, ...names])]));
  }

  /** Before a pull: if the service dies during the pull, the image counts as private by its name. */
  async markBeforePull(name: string, { auth }: Puller): Promise<void> {
    if (auth) await this.#marks.mark(name);
  }

  /** After a pull: an image pulled with credentials is private from now on. */
  async markPulled(name: string, { id }: LocalImage, puller: Puller): Promise<void> {
    if (puller.auth) await this.#marks.markId(id, name);
    this.#verified.add(keyOf(id, puller));
    if (this.#verified.size > MAX_VERIFIED) {
      this.#verified.delete(this.#verified.values().next().value!);
    }
  }
}

const keyOf = (id: string, { account, auth }: Puller) =>
  JSON.stringify([id, account, auth?.username, auth?.password]);
