// What a job returned, on the standard output: texts as they are, other values as JSON.

import { type Printing, printJson, write } from "../output/answer.ts";

interface Ended {
  status: string;
  output?: unknown;
}

export function printJob(job: Ended, { json }: Printing): void {
  if (json) {
    printJson(job);
    return;
  }
  if (job.status !== "COMPLETED" || job.output === undefined) return;
  const { output } = job;
  if (typeof output === "string") write(output.endsWith("\n") ? output : `${output}\n`);
  else printJson(output);
}

/** One part of a stream: texts follow each other, as tokens do; with --json each part is one line. */
export class StreamPrinter {
  readonly #json: boolean;
  #isLineOpen = false;

  constructor({ json = false }: Printing) {
    this.#json = json;
  }

  print(output: unknown): void {
    if (typeof output === "string" && !this.#json) {
      write(output);
      if (output !== "") this.#isLineOpen = !output.endsWith("\n");
      return;
    }
    this.end();
    write(`${JSON.stringify(output)}\n`);
  }

  end(): void {
    if (this.#isLineOpen) write("\n");
    this.#isLineOpen = false;
  }
}
