// `freehold logs <id>`: the log of a Pod, a worker, a job or an endpoint's workers, and with -f every further line.

import { UsageError } from "../../../base/refusal.ts";
import type { LogLine } from "../../../contract/rest-v1/observe/log.ts";
import { serviceFor } from "../../context/choose-service.ts";
import { printJson, write } from "../../output/answer.ts";
import { addServiceOptions, type CommonValues } from "../../program/common-options.ts";
import { addExamples, defineCommand } from "../../program/define-command.ts";
import { followEndpointLog, readEndpointLog, type WorkerLine } from "../../program/endpoint-log.ts";
import { followLog, readLog } from "../../program/log-lines.ts";
import { findAny } from "../../resources/find-any.ts";

interface Values extends CommonValues {
  follow?: boolean;
  tail?: string;
  since?: string;
  type?: string;
  timestamps?: boolean;
}

export const { usage, run } = defineCommand("logs", (program) => {
  program
    .argument("<id>", "the id or name of a Pod or an endpoint, or the id of a worker or a job")
    .optionsGroup("Options:")
    .option(
      "-f, --follow",
      "also print every further line, until the Pod, the worker or the job ends",
    )
    .option("--tail <lines>", "the number of newest lines (default: 100)")
    .option("--since <time>", "an instant, or a duration such as 10m")
    .option("--type <container|system>", "only lines of this type")
    .option("-t, --timestamps", "print the time of each line")
    .option("-q, --quiet", "only lines of the container")
    .option("--json", "the lines as JSON; with -f one object per line");
  addServiceOptions(program).action(printLogs);
  addExamples(program, "freehold logs box -f", "freehold logs shop --since 10m --timestamps");
});

async function printLogs(word: string, values: Values): Promise<void> {
  if (values.type !== undefined && values.type !== "container" && values.type !== "system") {
    throw new UsageError(`--type is "${values.type}"; it takes container or system`);
  }
  const service = await serviceFor(values);
  const { kind, item } = await findAny(service, word, ["Pod", "worker", "job", "endpoint"]);
  const type = values.type ?? (values.quiet ? "container" : undefined);
  const { since, tail, follow } = values;
  const print = (line: LogLine | WorkerLine) =>
    write(values.json ? `${JSON.stringify(line)}\n` : lineText(line, values));
  const logs = { service, type, since, tail };
  if (kind === "endpoint" && follow) return followEndpointLog(logs, item.id, print);
  const log = { ...logs, path: `/v1/${kind.toLowerCase()}s/${encodeURIComponent(item.id)}/logs` };
  if (follow) {
    for await (const line of followLog(log)) print(line);
    return;
  }
  const lines = await (kind === "endpoint" ? readEndpointLog(logs, item.id) : readLog(log));
  if (values.json) printJson(lines);
  else lines.forEach(print);
}

/** The beginning of a worker's id that other commands take. */
const ID_LENGTH = 8;

/** What a container prints is passed on as it is: its colors are meant for the terminal. */
function lineText(line: LogLine | WorkerLine, { timestamps }: Values): string {
  const { at, type, text } = line;
  const worker = "workerId" in line ? `${line.workerId.slice(0, ID_LENGTH)}  ` : "";
  const time = timestamps ? `${at ?? "-"}  ` : "";
  return `${worker}${time}${type === "system" ? "[system] " : ""}${text}\n`;
}
