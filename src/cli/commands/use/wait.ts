// `freehold wait <id>`: waits until a job has ended, a Pod runs or an endpoint has a ready worker.

import { pause, systemClock } from "../../../base/clock.ts";
import { exitCodes, Refusal } from "../../../base/refusal.ts";
import { call } from "../../client/api.ts";
import type { RunningService } from "../../client/running-service.ts";
import { serviceFor } from "../../context/choose-service.ts";
import { followToEnd, requireCompleted } from "../../jobs/follow-job.ts";
import { printJob } from "../../jobs/print-job.ts";
import { addTimeout, deadlineOf } from "../../jobs/time-limit.ts";
import { printDone } from "../../output/answer.ts";
import { withProgress } from "../../output/progress.ts";
import { addCommonOptions, type CommonValues } from "../../program/common-options.ts";
import { addExamples, defineCommand } from "../../program/define-command.ts";
import { podState } from "../../resources/cells.ts";
import { findAny } from "../../resources/find-any.ts";
import type { Item } from "../../resources/resource.ts";

interface Values extends CommonValues {
  timeout?: string;
}

type Say = (text: string) => void;
/** The thing if it is ready, or null. Throws Refusal if it will not be. */
type ReadyCheck = (service: RunningService, id: string, say: Say) => Promise<object | null>;

export const { usage, run } = defineCommand("wait", (program) => {
  program.argument("<id>", "a job's id, or the id or name of a Pod or an endpoint");
  addCommonOptions(addTimeout(program.optionsGroup("Options:"))).action(wait);
  addExamples(program, "freehold wait box --timeout 300");
});

async function wait(word: string, values: Values): Promise<void> {
  const deadline = deadlineOf(values.timeout);
  const service = await serviceFor(values);
  const { kind, item } = await findAny(service, word, ["job", "Pod", "endpoint"]);
  await withProgress(`${kind} ${item.id}`, values, async (say) => {
    if (kind === "job") return waitForJob(service, item, { deadline, values, say });
    const isReady: ReadyCheck = kind === "Pod" ? podRuns : endpointServes;
    const found = await waitUntil(
      () => isReady(service, item.id, say),
      `${kind} ${item.id}`,
      deadline,
    );
    printDone(`${kind} ${item.id} ${kind === "Pod" ? "runs" : readyText(found)}`, found, values);
  });
}

const readyText = ({ requestUrl }: { requestUrl?: string }) =>
  requestUrl ? `answers at ${requestUrl}` : "has a ready worker";

interface JobWait {
  deadline: number | null;
  values: Values;
  say: Say;
}

async function waitForJob(
  service: RunningService,
  { id, endpointId }: Item,
  options: JobWait,
): Promise<void> {
  const { deadline, values, say } = options;
  const job = { id, endpointId: String(endpointId) };
  const observe = (status: string) => say(`job ${id} ${status}`);
  const ended = await followToEnd(service, job, { deadline, observe });
  printJob(ended, values);
  requireCompleted(ended);
}

async function waitUntil(
  read: () => Promise<object | null>,
  name: string,
  deadline: number | null,
): Promise<object> {
  for (;;) {
    const found = await read();
    if (found) return found;
    if (deadline !== null && systemClock.ticks() >= deadline) {
      const sentence = `${name} is not ready; \`freehold why ${name.split(" ")[1]}\` tells why`;
      throw new Refusal(sentence, exitCodes.timedOut);
    }
    await pause(systemClock, 500);
  }
}

async function podRuns(service: RunningService, podId: string, say: Say) {
  const pod = await call(service, "GET /v1/pods/{podId}", { params: { podId } });
  say(`Pod ${podId} ${pod.lastStatusChange}`);
  if (pod.desiredStatus !== "RUNNING") {
    const sentence = `Pod ${podId} is ${podState(pod)}: ${pod.lastStatusChange}`;
    throw new Refusal(sentence, exitCodes.unsuccessful);
  }
  return pod.runtime ? pod : null;
}

async function endpointServes(service: RunningService, endpointId: string, say: Say) {
  const params = { endpointId };
  const [endpoint, workers] = await Promise.all([
    call(service, "GET /v1/endpoints/{endpointId}", { params }),
    call(service, "GET /v1/endpoints/{endpointId}/workers", { params, query: { ended: 0 } }),
  ]);
  if (endpoint.workersMax === 0) {
    const sentence = `endpoint ${endpointId} has no worker: workersMax is 0`;
    throw new Refusal(sentence, exitCodes.unsuccessful);
  }
  const current = workers.filter(({ version }) => version === endpoint.version);
  say(`endpoint ${endpointId}: ${current.map(({ phase }) => phase).join(", ") || "no worker yet"}`);
  const isServing = current.some(({ phase }) => phase === "idle" || phase === "busy");
  return isServing ? endpoint : null;
}
