// Images that were pulled with somebody's credentials. One of these lies on the engine for everybody,
// so whoever starts from it shows first that the registry would give it to him too. That it is private
// is kept, by the image's own id and so whatever it is called; who has shown it is remembered only
// while the service runs, so that no digest of a password lies on a disk.

import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { RegistryAuth } from "../driver.ts";

export interface Puller {
  account: string | undefined;
  auth: RegistryAuth | undefined;
}

export class PrivateImages {
  readonly #folder: string;
  readonly #shown = new Set<string>();

  constructor(folder: string) {
    this.#folder = path.join(folder, "private-images");
  }

  /** Whether it may be used as it lies there; `id` is what the engine knows it by. */
  mayUse(name: string, id: string, puller: Puller): boolean {
    if (this.#shown.has(keyOf(id, puller))) return true;
    return !this.#isMarked(id) && !this.#isMarked(name);
  }

  /** Before a pull: should the service die in it, the image counts as private by its name. */
  noteAsked(name: string, { auth }: Puller): void {
    if (auth) this.#mark(name);
  }

  /** The registry has given it: with credentials it is private from now on. */
  noteGiven(name: string, id: string, puller: Puller): void {
    this.#shown.add(keyOf(id, puller));
    if (!puller.auth) return;
    this.#mark(id);
    rmSync(this.#file(name), { force: true });
  }

  #mark(what: string): void {
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
    writeFileSync(this.#file(what), "", { mode: 0o600 });
  }

  #isMarked(what: string): boolean {
    return existsSync(this.#file(what));
  }

  #file(what: string): string {
    return path.join(this.#folder, encodeURIComponent(what).slice(0, 250));
  }
}

const keyOf = (id: string, { account, auth }: Puller) =>
  JSON.stringify([id, account, auth?.username, auth?.password]);
