// `freehold run <endpoint> [input]`: submits a job and prints its output.

import { exitCodes, Refusal, UsageError } from "../../../base/refusal.ts";
import { call } from "../../client/api.ts";
import { parseExact } from "../../client/exact-json.ts";
import type { RunningService } from "../../client/running-service.ts";
import { askForText, Refused } from "../../client/service-request.ts";
import { serviceFor } from "../../context/choose-service.ts";
import { endpointIdOf } from "../../jobs/endpoint-id.ts";
import {
  followOutput,
  followToEnd,
  type JobAddress,
  requireCompleted,
} from "../../jobs/follow-job.ts";
import { printJob, StreamPrinter } from "../../jobs/print-job.ts";
import { addTimeout, deadlineOf } from "../../jobs/time-limit.ts";
import { write } from "../../output/answer.ts";
import { withProgress } from "../../output/progress.ts";
import { addCommonOptions, type CommonValues } from "../../program/common-options.ts";
import { addExamples, defineCommand } from "../../program/define-command.ts";
import { jsonArgument } from "../../program/json-argument.ts";

interface Values extends CommonValues {
  stream?: boolean;
  async?: boolean;
  policy?: string;
  webhook?: string;
  timeout?: string;
}

export const { usage, run } = defineCommand("run", (program) => {
  program
    .argument("<endpoint>", "an id or a name")
    .argument("[input]", "the input as JSON, {} if left out; @file or - reads it from there")
    .optionsGroup("Job:")
    .option("--async", "print the job's id and do not wait")
    .option("--stream", "print each part of the output as it comes")
    .option("--policy <json>", "the job's policy, such as its executionTimeout in milliseconds")
    .option("--webhook <url>", "receives the result");
  addCommonOptions(addTimeout(program)).action(submit);
  addExamples(
    program,
    `freehold run hello '{"name": "you"}'`,
    "freehold run hello @input.json --stream",
    "echo '{}' | freehold run hello - --async",
    `freehold run hello --policy '{"executionTimeout": 60000}'`,
  );
});

async function submit(word: string, input: string | undefined, values: Values): Promise<void> {
  if (values.async && values.stream)
    throw new UsageError("--async does not wait, and --stream does");
  const deadline = deadlineOf(values.timeout);
  const body = await bodyFrom(input ?? "{}", values);
  const service = await serviceFor(values);
  const endpointId = await queueIdOf(service, word);
  const path = `/v2/${encodeURIComponent(endpointId)}/run`;
  const submitted: { id?: string } = {};
  process.once("SIGINT", () => endInterrupted(submitted));
  const text = await askForText(service, "POST", path, body);
  const { id } = Object.assign(submitted, JSON.parse(text)) as { id: string };
  if (values.async) {
    return write(values.json ? `${JSON.stringify(parseExact(text), null, 2)}\n` : `${id}\n`);
  }
  await printResult(service, { endpointId, id }, values, deadline);
}

/** A load-balancing endpoint takes no jobs. A key that may only use queues cannot tell. */
async function queueIdOf(service: RunningService, word: string): Promise<string> {
  const endpointId = await endpointIdOf(service, word);
  const endpoint = await call(service, "GET /v1/endpoints/{endpointId}", {
    params: { endpointId },
  }).catch((error) => {
    if (error instanceof Refused) return null; // the submission says it
    throw error;
  });
  if (!endpoint?.requestUrl) return endpointId;
  const sentence = `endpoint ${endpointId} is load balancing and takes no jobs; send requests to ${endpoint.requestUrl}`;
  throw new Refusal(sentence, exitCodes.refused);
}

/** The job goes on. */
function endInterrupted({ id }: { id?: string }): never {
  const start = process.stderr.isTTY ? "\r\x1b[2K" : "";
  const sentence = `job ${id} continues; \`freehold wait ${id}\` waits for it\n`;
  if (id) process.stderr.write(start + sentence);
  process.exit(130);
}

async function printResult(
  service: RunningService,
  job: JobAddress,
  values: Values,
  deadline: number | null,
): Promise<void> {
  const printer = new StreamPrinter(values);
  const ended = await withProgress(`job ${job.id}`, values, async (say) => {
    const following = {
      deadline,
      observe: (status: string) => say(`job ${job.id} ${status}`),
    };
    if (!values.stream) return followToEnd(service, job, following);
    const parts = followOutput(service, job, following);
    for (;;) {
      const { done, value } = await parts.next();
      if (done) return value;
      printer.print(value);
    }
  });
  printer.end();
  if (!values.stream) printJob(ended, values);
  requireCompleted(ended);
}

/** The input is passed on as it was written. */
async function bodyFrom(input: string, { policy, webhook }: Values): Promise<string> {
  const members = [
    `"input":${await jsonArgument("the input", input)}`,
    ...(policy === undefined ? [] : [`"policy":${await jsonArgument("--policy", policy)}`]),
    ...(webhook === undefined ? [] : [`"webhook":${JSON.stringify(webhook)}`]),
  ];
  return `{${members.join(",")}}`;
}
