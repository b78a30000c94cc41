// What earlier runs of a workload printed: a container's log goes with the container, and a workload
// that starts again gets a new one.

import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import type { LogLine } from "../driver.ts";
import { newest } from "../newest-lines.ts";

/** Lines kept of all earlier runs together; and no more text than is given of a log at once. */
export const MOST_KEPT = 5_000;

export class KeptLogs {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  async keep(id: string, lines: LogLine[]): Promise<void> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    const all = newest([...(await this.of(id)), ...lines], MOST_KEPT);
    const file = this.#file(id);
    await writeFile(`${file}.new`, JSON.stringify(all), { mode: 0o600 });
    await rename(`${file}.new`, file);
  }

  async of(id: string): Promise<LogLine[]> {
    const text = await readFile(this.#file(id), "utf8").catch(() => "[]");
    return JSON.parse(text) as LogLine[];
  }

  forget(id: string): Promise<void> {
    return rm(this.#file(id), { force: true });
  }

  #file(id: string): string {
    return path.join(this.#folder, `${id}.log.json`);
  }
}
