// A test job, for trying a handler without a server: its input is on the command line or in
// test_input.json, its chunks and progress go to standard error and its result to standard output.

import { readFileSync } from "node:fs";
import type { Environment } from "./environment.ts";
import type { Job, ServeOptions } from "./handler.ts";
import { logFor } from "./log.ts";
import type { Delivery } from "./protocol/delivery.ts";
import { readJobs } from "./protocol/take-reply.ts";
import { runJob } from "./run-job.ts";

const FILE = "test_input.json";

/** The value of `--test_input`; null without that argument. */
export function testInputOf(argv: string[]): string | null {
  const flag = argv.findIndex((word) => /^--test_input(=|$)/.test(word));
  if (flag === -1) return null;
  return argv[flag]?.includes("=") ? argv[flag].replace(/^[^=]*=/, "") : (argv[flag + 1] ?? "");
}

/** Runs one job and resolves to the exit code: 0, or 1 if the job failed or is missing. */
export async function runTestJob<Input, Output>(
  environment: Environment,
  options: ServeOptions<Input, Output>,
): Promise<0 | 1> {
  const log = logFor(environment, null);
  try {
    const job = readTestJob(testInputOf(environment.argv));
    const text = await runJob(job as Job<Input>, options.handler, options, {
      delivery: printDelivery(environment),
      signal: new AbortController().signal,
      log: logFor(environment, job.id),
      origin: { hostname: "local", workerId: "local" },
    });
    return text === null || "error" in JSON.parse(text) ? 1 : 0;
  } catch (error) {
    log.error(error instanceof Error ? error.message : String(error));
    return 1;
  }
}

function readTestJob(argument: string | null): Job {
  const text = argument ?? readTestFile();
  const value: unknown = JSON.parse(text);
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, "input")) {
    throw new Error('a test job is a JSON object with an input, such as {"input":{"name":"you"}}');
  }
  // Of two ids the last counts, so a job's own id takes precedence.
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

function printDelivery(environment: Environment): Delivery {
  return {
    progress: async (text) => environment.printError(text),
    chunk: async (text) => environment.printError(text),
    done: async (text) => environment.print(text),
  };
}
