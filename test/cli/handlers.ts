// A worker for tests of the command line: its input says what the job does.

import { type Job, serve } from "../../src/serve/serve.ts";

interface Input {
  echo?: unknown;
  fail?: string;
  parts?: unknown[];
  print?: string;
}

await serve({
  handler: ({ input }: Job<Input>) => {
    if (input.print !== undefined) console.log(input.print);
    if (input.fail !== undefined) throw new Error(input.fail);
    return input.parts ? partsOf(input.parts) : input.echo;
  },
});

async function* partsOf(parts: unknown[]): AsyncGenerator<unknown> {
  yield* parts;
}
