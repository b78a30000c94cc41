// `freehold logs <id>`: the log of a Pod, a worker or a job, and with -f every further line.

import { pause, systemClock } from "../../../../base/clock.ts";
import type { LogLine } from "../../../../contract/rest-v1/observe/log.ts";
import type { Service } from "../../../client/running-service.ts";
import { ask, send } from "../../../client/service-request.ts";
import { exitCodes, Refusal, UsageError } from "../../../refusal.ts";
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
  type?: string;
  timestamps?: boolean;
}

/** A service that restarts is back within this time. */
const RECONNECTIONS = 30;

export const { usage, run } = defineCommand("logs", (program) => {
  program
    .argument("<id>", "the id or name of a Pod, or the id of a worker or a job")
    .optionsGroup("Options:")
    .option(
      "-f, --follow",
      "also print every further line, until the Pod, the worker or the job ends",
    )
    .option("--tail <lines>", "the number of newest lines, 100")
    .option("--since <time>", "an instant, or a duration such as 10m")
    .option("--type <type>", "only lines of the container, or of the system")
    .option("-t, --timestamps", "print the time of each line")
    .option("-q, --quiet", "only lines of the container")
    .option("--json", "the lines as JSON; with -f one object per line");
  addServiceOptions(program).action(printLogs);
});

async function printLogs(word: string, values: Values): Promise<void> {
  if (values.type !== undefined && values.type !== "container" && values.type !== "system") {
    throw new UsageError(`--type is "${values.type}"; it takes container or system`);
  }
  const service = await serviceFor(values);
  const { kind, item } = await findAny(service, word, ["Pod", "worker", "job"]);
  const type = values.type ?? (values.quiet ? "container" : undefined);
  const path = `/v1/${kind.toLowerCase()}s/${encodeURIComponent(item.id)}/logs`;
  const log = { service, path, type, values };
  if (values.follow) return follow(log);
  const lines = (await ask(service, "GET", addressOf(log))) as LogLine[];
  const chosen = lines.filter((line) => isChosen(line, log));
  if (values.json) printJson(chosen);
  else for (const line of chosen) write(lineText(line, values));
}

interface Log {
  service: Service;
  path: string;
  type: string | undefined;
  values: Values;
}

/** The route of a job's log has no parameter for the type. */
const isChosen = (line: LogLine, { type }: Log) => type === undefined || line.type === type;

function addressOf({ path, type, values }: Log): string {
  const { since, tail, follow } = values;
  const isJob = path.startsWith("/v1/jobs/");
  const query = { since, tail, follow, type: isJob ? undefined : type };
  const pairs = Object.entries(query).filter(([, value]) => value !== undefined);
  return `${path}?${new URLSearchParams(pairs as [string, string][])}`;
}

/** A connection that breaks is opened again, after the last line that was received. */
async function follow(log: Log): Promise<void> {
  const { service, values } = log;
  let last: string | null = null;
  for (let failures = 0; ; failures++) {
    try {
      const headers = { accept: "text/event-stream", ...(last && { "last-event-id": last }) };
      const { body } = await send(service, addressOf(log), { headers });
      for await (const { event, id, data } of serverEvents(body!)) {
        if (event === "end") return;
        failures = 0;
        last = id ?? last;
        const line = JSON.parse(data) as LogLine;
        if (!isChosen(line, log)) continue;
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
