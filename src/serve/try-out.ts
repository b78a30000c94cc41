// Without a server there is still a way to try a handler: one job from the command line or from
// test_input.json, its chunks and progress shown as they come, its result on standard output.

import { readFileSync } from "node:fs";
import type { Delivery } from "./delivery.ts";
import type { Job, ServeOptions } from "./handler.ts";
import { logFor } from "./log.ts";
import { runJob } from "./run-job.ts";
import { readJobs } from "./take-reply.ts";
import type { World } from "./world.ts";

const FILE = "test_input.json";

/** The value of `--test_input`, null where the arguments do not have it. */
export function testInput(argv: string[]): string | null {
  const flag = argv.findIndex((word) => /^--test_input(=|$)/.test(word));
  if (flag === -1) return null;
  return argv[flag]?.includes("=") ? argv[flag].replace(/^[^=]*=/, "") : (argv[flag + 1] ?? "");
}

/** Runs one job and resolves to the exit code: 0, or 1 where it failed or there was none. */
export async function tryOut<Input, Output>(
  world: World,
  options: ServeOptions<Input, Output>,
): Promise<0 | 1> {
  const log = logFor(world, null);
  try {
    const job = readTestJob(testInput(world.argv));
    const text = await runJob(job as Job<Input>, options.handler, options, {
      delivery: printing(world),
      signal: new AbortController().signal,
      log: logFor(world, job.id),
      origin: { hostname: "local", workerId: "local" },
    });
    return text === null || "error" in JSON.parse(text) ? 1 : 0;
  } catch (error) {
    log.error(error instanceof Error ? error.message : String(error));
    return 1;
  }
}

function readTestJob(given: string | null): Job {
  const text = given ?? readTestFile();
  const described: unknown = JSON.parse(text);
  if (typeof described !== "object" || described === null || !Object.hasOwn(described, "input")) {
    throw new Error('a test job is a JSON object with an input, such as {"input":{"name":"you"}}');
  }
  // Of two ids the last counts, so that a job's own id wins.
  const [job] = readJobs(text.replace("{", '{"id":"local_test",')).jobs;
  if (!job) throw new Error("the id of a test job is a string");
  return job;
}

function readTestFile(): string {
  try {
    return readFileSync(FILE, "utf8");
  } catch {
    throw new Error(
      "RUNPOD_WEBHOOK_GET_JOB is not set, so there is no server to take jobs from. To try the " +
        `handler, pass --test_input '{"input":{}}' or write ${FILE}.`,
    );
  }
}

function printing(world: World): Delivery {
  return {
    progress: async (text) => world.complain(text),
    chunk: async (text) => world.complain(text),
    done: async (text) => world.print(text),
  };
}
