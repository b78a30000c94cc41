// `freehold batch create` and `wait`: many jobs in one call, and their end.

import type { Command as Program } from "commander";
import { pause, systemClock } from "../../base/clock.ts";
import { withoutMark } from "../../base/json/parse.ts";
import { exitCodes, Refusal, UsageError } from "../../base/refusal.ts";
import { counted } from "../../base/text/counted.ts";
import { type AnswerOf, call } from "../client/api.ts";
import type { RunningService } from "../client/running-service.ts";
import { askForText } from "../client/service-request.ts";
import { serviceFor } from "../context/choose-service.ts";
import { printChange, printOne } from "../output/answer.ts";
import { progressBar, withProgress } from "../output/progress.ts";
import { addCommonOptions, type CommonValues } from "../program/common-options.ts";
import { textArgument } from "../program/json-argument.ts";
import { endpointIdOf } from "./endpoint-id.ts";
import { addTimeout, deadlineOf } from "./time-limit.ts";

type Batch = AnswerOf<"GET /v1/batches/{batchId}">;
type Values = CommonValues & { webhook?: string; wait?: boolean; timeout?: string };

const READ_EVERY_MS = 500;

export function addBatchCommands(program: Program): void {
  const create = program.command("create").description("submit many jobs in one call");
  create
    .argument("<endpoint>", "an id or a name")
    .argument("<items>", "one item as JSON on each line; @file or - reads them from there")
    .optionsGroup("Batch:")
    .option("--webhook <url>", "receives the batch once all its jobs have ended")
    .option("--wait", "wait until all jobs have ended");
  addCommonOptions(addTimeout(create)).action(createBatch);
  const wait = program.command("wait").description("wait until all jobs of a batch have ended");
  addCommonOptions(addTimeout(wait.argument("<batch>", "an id"))).action(
    async (id: string, values: Values) => {
      const deadline = deadlineOf(values.timeout);
      await waitForEnd(await serviceFor(values), id, values, deadline);
    },
  );
}

async function createBatch(word: string, items: string, values: Values): Promise<void> {
  const deadline = deadlineOf(values.timeout);
  const lines = await itemsIn(items);
  const service = await serviceFor(values);
  const endpointId = await endpointIdOf(service, word);
  const settings = JSON.stringify({ endpointId, webhook: values.webhook }).slice(0, -1);
  const body = `${settings},"items":[${lines.join(",")}]}`;
  const text = await askForText(service, "POST", "/v1/batches", body);
  const batch = JSON.parse(text) as Batch;
  if (!values.wait) return printOne(batch, batch.id, values);
  await waitForEnd(service, batch.id, values, deadline);
}

/** The items are passed on as they were written. */
async function itemsIn(argument: string): Promise<string[]> {
  const lines = withoutMark(await textArgument(argument)).split("\n");
  return lines.flatMap((line, index) => {
    if (line.trim() === "") return [];
    try {
      JSON.parse(line);
      return [line.trim()];
    } catch (error) {
      throw new UsageError(`line ${index + 1} is not valid JSON: ${(error as Error).message}`);
    }
  });
}

async function waitForEnd(
  service: RunningService,
  id: string,
  values: Values,
  deadline: number | null,
): Promise<void> {
  const batch = await withProgress(`batch ${id}`, values, async (say) => {
    for (;;) {
      const now = await call(service, "GET /v1/batches/{batchId}", { params: { batchId: id } });
      if (now.status === "COMPLETED" || now.status === "CANCELLED") return now;
      say(`batch ${id}  ${progressBar({ done: endedIn(now), total: now.total })}`);
      if (deadline !== null && systemClock.ticks() >= deadline)
        throw new Refusal(`batch ${id} is still ${now.status}`, exitCodes.timedOut);
      await pause(systemClock, READ_EVERY_MS);
    }
  });
  const { completed } = batch.counts;
  const sentence = `batch ${id} ${batch.status}: ${completed} of ${counted(batch.total, "job")} completed`;
  printChange(sentence, batch, values);
  if (completed < batch.total)
    throw new Refusal(
      `${counted(batch.total - completed, "job")} did not complete; \`freehold jobs list --batch-id ${id}\` lists them`,
      exitCodes.unsuccessful,
    );
}

const endedIn = ({ total, counts }: Batch) => total - counts.inQueue - counts.inProgress;
