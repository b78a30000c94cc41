// The places of a volume's files below its folder. Links are resolved within the volume, so that none leads out of it.

import { lstatSync, readlinkSync } from "node:fs";
import path from "node:path/posix";

const MAX_LINKS = 40;

export class VolumePaths {
  readonly #folder: string;
  readonly #mountPath: string;

  constructor(folder: string, mountPath: string) {
    this.#folder = folder;
    this.#mountPath = mountPath;
  }

  /** The place of a name itself, which may be a link. */
  ownPath(file: string): string {
    const absolute = path.resolve("/", file);
    if (absolute === "/") return this.#folder;
    return path.join(this.realPath(path.dirname(absolute)), path.basename(absolute));
  }

  /** The place without links; its last part need not exist. */
  realPath(file: string): string {
    let rest = path.resolve("/", file).split("/").filter(Boolean);
    let at: string[] = [];
    for (let links = 0; rest.length > 0; ) {
      const [name, ...after] = rest;
      const here = path.join(this.#folder, ...at, name!);
      const stat = lstatSync(here, { throwIfNoEntry: false });
      if (stat?.isSymbolicLink()) {
        if (++links > MAX_LINKS) throw failure("ELOOP", "Too many levels of symbolic links");
        const target = this.#target(at, readlinkSync(here));
        rest = [...target.split("/").filter(Boolean), ...after];
        at = [];
      } else {
        at = [...at, name!];
        rest = after;
      }
    }
    return path.join(this.#folder, ...at);
  }

  /** Where a link leads, as a path of the volume. */
  #target(at: string[], target: string): string {
    const absolute = path.resolve(this.#mountPath, ...at, target);
    const inside = path.relative(this.#mountPath, absolute);
    if (inside === ".." || inside.startsWith("../")) {
      throw failure("ENOENT", "No such file or directory");
    }
    return inside;
  }
}

export const failure = (code: string, text: string) =>
  Object.assign(new Error(`${code}: ${text}`), { code });
