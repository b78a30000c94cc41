// `freehold logs <id>`: the log of a Pod or a worker, and with -f every further line.

import { pause, systemClock } from "../../../../base/clock.ts";
import type { LogLine } from "../../../../contract/rest-v1/observe/log.ts";
import { call } from "../../../client/api.ts";
import type { Service } from "../../../client/running-service.ts";
import { send } from "../../../client/service-request.ts";
import { exitCodes, Refusal } from "../../../refusal.ts";
import { serviceFor } from "../../context/choose-service.ts";
import { printJson, write } from "../../output/answer.ts";
import { addServiceOptions, type CommonValues } from "../../program/common-options.ts";
import { defineCommand } from "../../program/define-command.ts";
import { serverEvents } from "../../program/server-events.ts";
import { findAny } from "../../resources/find-any.ts";

interface Values extends CommonValues {
  follow?: boolean;
  tail?: string;
  since?: string;
  type?: "container" | "system";
  timestamps?: boolean;
}

/** A service that restarts is back within this time. */
const RECONNECTIONS = 30;

export const { usage, run } = defineCommand("logs", (program) => {
  program
    .argument("<id>", "the id or name of a Pod, or the id of a worker")
    .optionsGroup("Options:")
    .option("-f, --follow", "also print every further line, until the Pod or the worker ends")
    .option("--tail <lines>", "the number of newest lines, 100")
    .option("--since <time>", "an instant, or a duration such as 10m")
    .option("--type <type>", "only lines of the container, or of the system")
    .option("-t, --timestamps", "print the time of each line")
    .option("-q, --quiet", "only lines of the container")
    .option("--json", "the lines as JSON; with -f one object per line");
  addServiceOptions(program).action(printLogs);
});

async function printLogs(word: string, values: Values): Promise<void> {
  const service = await serviceFor(values);
  const { kind, item } = await findAny(service, word, ["Pod", "worker"]);
  const type = values.type ?? (values.quiet ? "container" : undefined);
  const query = { type, since: values.since, tail: values.tail as number | undefined };
  if (values.follow) {
    const path = `/v1/${kind === "Pod" ? "pods" : "workers"}/${encodeURIComponent(item.id)}/logs`;
    return follow(service, path, query, values);
  }
  const lines =
    kind === "Pod"
      ? await call(service, "GET /v1/pods/{podId}/logs", { params: { podId: item.id }, query })
      : await call(service, "GET /v1/workers/{workerId}/logs", {
          params: { workerId: item.id },
          query,
        });
  if (values.json) printJson(lines);
  else for (const line of lines) write(lineText(line, values));
}

/** A connection that breaks is opened again, after the last line that was received. */
async function follow(
  service: Service,
  path: string,
  query: Record<string, string | number | undefined>,
  values: Values,
): Promise<void> {
  const pairs = Object.entries({ ...query, follow: "true" }).filter(
    ([, value]) => value !== undefined,
  );
  const address = `${path}?${new URLSearchParams(pairs as [string, string][])}`;
  let last: string | null = null;
  for (let failures = 0; ; failures++) {
    try {
      const headers = { accept: "text/event-stream", ...(last && { "last-event-id": last }) };
      const { body } = await send(service, address, { headers });
      for await (const { event, id, data } of serverEvents(body!)) {
        if (event === "end") return;
        failures = 0;
        last = id ?? last;
        const line = JSON.parse(data) as LogLine;
        write(values.json ? `${JSON.stringify(line)}\n` : lineText(line, values));
      }
    } catch (error) {
      const isPassing = !(error instanceof Refusal) || error.exitCode === exitCodes.unreachable;
      if (!isPassing || failures === RECONNECTIONS) throw error;
    }
    await pause(systemClock, 1_000);
  }
}

/** What a container prints is passed on as it is: its colors are meant for the terminal. */
function lineText({ at, type, text }: LogLine, { timestamps }: Values): string {
  const time = timestamps ? `${at ?? "-"}  ` : "";
  return `${time}${type === "system" ? "[system] " : ""}${text}\n`;
}
