// Images that were pulled with somebody's credentials. One of these lies on the engine for everybody,
// so whoever starts from it shows first that the registry would give it to him too. That it is private
// is kept, by the image's own id and so whatever it is called; who has shown it is remembered only
// while the service runs, so that no digest of a password lies on a disk.

import type { RegistryAuth } from "../driver.ts";

/** Where it is kept which images are private: whoever drives the engine next must know it too. */
export interface ImageMarks {
  /** Whether one of these ids, or of these names on this engine, is marked. */
  marked(images: string[]): Promise<boolean>;
  /** Marks a name on this engine; resolves once that cannot be lost. */
  mark(name: string): Promise<void>;
  /** Marks an id, on whatever engine it lies, in place of a name on this one. */
  markId(id: string, name: string): Promise<void>;
}

/** An image as the engine has it. */
export interface Present {
  id: string;
  /** All its names there, with tag or digest. */
  names: string[];
}

export interface Puller {
  account: string | undefined;
  auth: RegistryAuth | undefined;
}

export class PrivateImages {
  readonly #marks: ImageMarks;
  readonly #shown = new Set<string>();

  constructor(marks: ImageMarks) {
    this.#marks = marks;
  }

  /** Whether it may be used as it lies there. */
  async mayUse(name: string, { id, names }: Present, puller: Puller): Promise<boolean> {
    if (this.#shown.has(keyOf(id, puller))) return true;
    return !(await this.#marks.marked([...new Set([id, name, ...names])]));
  }

  /** Before a pull: should the service die in it, the image counts as private by its name. */
  async noteAsked(name: string, { auth }: Puller): Promise<void> {
    if (auth) await this.#marks.mark(name);
  }

  /** The registry has given it: with credentials it is private from now on. */
  async noteGiven(name: string, { id }: Present, puller: Puller): Promise<void> {
    if (puller.auth) await this.#marks.markId(id, name);
    this.#shown.add(keyOf(id, puller));
  }
}

const keyOf = (id: string, { account, auth }: Puller) =>
  JSON.stringify([id, account, auth?.username, auth?.password]);
