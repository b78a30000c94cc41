// The build context of a deployment: the files that go to the engine, how large they are, and that no data folder is
// among them, which would put keys and jobs into an image.

import { existsSync, lstatSync, readdirSync } from "node:fs";
import path from "node:path";
import { Refusal } from "../../base/refusal.ts";
import { ignoredBy, readRules } from "./ignored-files.ts";

export interface BuildContext {
  /** Paths below the folder, with forward slashes. */
  files: string[];
  bytes: number;
  /** The files and folders directly in the context that take most, the largest first. */
  largest: { name: string; bytes: number }[];
  /** The data folders and virtual environments that were left out, by their paths. */
  leftOut: string[];
}

const LARGEST = 5;

/**
 * The rules of the Dockerfile alone. BuildKit and Podman read them in place of .dockerignore, Docker's earlier builder
 * reads .dockerignore: a data folder must be left out by both.
 */
const OWN_RULES = "Dockerfile.dockerignore";

/** Each has files that only a data folder has together. */
const DATA_FOLDER_FILES = [["freehold.db"], ["cli.key", "lock"], ["secret.key", "lock"]];

/**
 * Reads the context of a folder. Throws a Refusal if a data folder would be in it, unless the Dockerfile is generated, which
 * leaves data folders and virtual environments out wherever they are.
 */
export function readContext(folder: string, isGenerated: boolean): BuildContext {
  if (isDataFolder(folder)) {
    throw new Refusal(`${folder} is a data folder of Freehold, not the source of an image`);
  }
  const context = readWith(folder, ".dockerignore", isGenerated);
  const isOverridden = !isGenerated && existsSync(path.join(folder, OWN_RULES));
  return isOverridden ? readWith(folder, OWN_RULES, false) : context;
}

function readWith(folder: string, ignoreFile: string, isGenerated: boolean): BuildContext {
  const file = path.join(folder, ignoreFile);
  const rules = readRules(file, isGenerated);
  const walk = new ContextWalk(folder, { rules, file }, isGenerated);
  walk.read("");
  return walk.result();
}

class ContextWalk {
  readonly #folder: string;
  readonly #ignoreFile: string;
  readonly #isIgnored: (name: string) => boolean;
  /** A rule that takes files back may name one inside an ignored folder. */
  readonly #takesBack: boolean;
  readonly #isGenerated: boolean;
  readonly #files: string[] = [];
  readonly #bytesOf = new Map<string, number>();
  readonly #leftOut: string[] = [];

  constructor(
    folder: string,
    { rules, file }: { rules: string[]; file: string },
    isGenerated: boolean,
  ) {
    this.#folder = folder;
    this.#ignoreFile = file;
    this.#isIgnored = ignoredBy(rules);
    this.#takesBack = rules.some((rule) => rule.trimStart().startsWith("!"));
    this.#isGenerated = isGenerated;
  }

  read(below: string, dataFolder: string | null = null): void {
    for (const entry of readdirSync(path.join(this.#folder, below), { withFileTypes: true })) {
      const name = below === "" ? entry.name : `${below}/${entry.name}`;
      const isIgnored = this.#isIgnored(name);
      if (entry.isDirectory()) {
        if (isIgnored && !this.#takesBack) continue;
        this.#readFolder(name, dataFolder);
      } else if (!isIgnored) this.#add(name, dataFolder);
    }
  }

  result(): BuildContext {
    const largest = [...this.#bytesOf]
      .map(([name, bytes]) => ({ name, bytes }))
      .sort((a, b) => b.bytes - a.bytes);
    return {
      files: this.#files,
      bytes: largest.reduce((sum, { bytes }) => sum + bytes, 0),
      largest: largest.slice(0, LARGEST),
      leftOut: this.#leftOut,
    };
  }

  #readFolder(name: string, dataFolder: string | null): void {
    const place = path.join(this.#folder, name);
    const isData = isDataFolder(place);
    if (this.#isGenerated && (isData || existsSync(path.join(place, "pyvenv.cfg")))) {
      this.#leftOut.push(name);
    } else this.read(name, isData ? name : dataFolder);
  }

  #add(name: string, dataFolder: string | null): void {
    if (dataFolder !== null) {
      throw new Refusal(
        `the build context holds ${dataFolder}, a data folder of Freehold with its keys and jobs; add the line ` +
          `"${dataFolder}" to ${this.#ignoreFile}, or move the data folder`,
      );
    }
    this.#files.push(name);
    const [top = name] = name.split("/");
    const { size } = lstatSync(path.join(this.#folder, name));
    this.#bytesOf.set(top, (this.#bytesOf.get(top) ?? 0) + size);
  }
}

function isDataFolder(folder: string): boolean {
  const has = (name: string) => existsSync(path.join(folder, name));
  return DATA_FOLDER_FILES.some((names) => names.every(has));
}
