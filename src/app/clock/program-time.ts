// Virtual time for the programs of workers, by libfaketime (https://github.com/wolfcw/libfaketime) where it is installed: it
// shifts what a program reads as the time by the number in a file. Monotonic clocks, which programs wait by, stay as they are.

import { spawnSync } from "node:child_process";
import { globSync, mkdirSync, renameSync, writeFileSync } from "node:fs";
import path from "node:path";

/** The variant for programs with threads, where distributions and `make install` put it. */
const LIBRARY = "/usr/{lib,lib64,local/lib}{,/*}/faketime/libfaketimeMT.so.1";

export class ProgramTime {
  /** What a program needs in its environment. */
  readonly variables: Readonly<Record<string, string>>;
  readonly #file: string;

  constructor(library: string, folder: string) {
    mkdirSync(folder, { recursive: true, mode: 0o755 });
    this.#file = path.join(folder, "lead");
    this.variables = {
      LD_PRELOAD: library,
      FAKETIME_TIMESTAMP_FILE: this.#file,
      FAKETIME_NO_CACHE: "1", // a cached number would outlast a move
      FAKETIME_DONT_FAKE_MONOTONIC: "1",
    };
  }

  /** Sets how far the time of programs is ahead of the system's. */
  setLead(leadMs: number): void {
    // A program may read the file at any moment, so it is replaced whole.
    const next = `${this.#file}.next`;
    writeFileSync(next, `+${(leadMs / 1_000).toFixed(3)}\n`, { mode: 0o644 });
    renameSync(next, this.#file);
  }
}

/** At most one is not null; both are null if libfaketime is not installed. */
interface Found {
  programTime: ProgramTime | null;
  /** A library that would make waits of programs fail. */
  unusable: string | null;
}

export function findProgramTime(dataFolder: string, leadMs: number, env: NodeJS.ProcessEnv): Found {
  const libraries = process.platform === "linux" ? globSync(LIBRARY) : [];
  for (const library of libraries) {
    const programTime = new ProgramTime(library, path.join(dataFolder, "program-time"));
    programTime.setLead(leadMs);
    if (canSleep(programTime, env)) return { programTime, unusable: null };
  }
  return { programTime: null, unusable: libraries[0] ?? null };
}

/** With libfaketime 0.9.10 a wait until an instant fails. Python waits so in `time.sleep` from 3.11 on. */
function canSleep({ variables }: ProgramTime, env: NodeJS.ProcessEnv): boolean {
  const sleep = ["-c", "import time; time.sleep(0.001)"];
  const { error, status } = spawnSync("python3", sleep, { env: { ...env, ...variables } });
  return status === 0 || error !== undefined; // an error: there is no Python
}
