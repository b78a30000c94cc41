// `freehold reserve`: keeps GPUs free from a time on, for a span or until another time.

import { UsageError } from "../../../base/refusal.ts";
import type { Reservation } from "../../../contract/rest-v1/account/reservation.ts";
import { parseDuration } from "../../../domain/duration.ts";
import { call } from "../../client/api.ts";
import { serviceNow } from "../../client/service-clock.ts";
import { serviceFor } from "../../context/choose-service.ts";
import { printChange, write } from "../../output/answer.ts";
import { plainText } from "../../output/table.ts";
import { timeText } from "../../output/time-text.ts";
import { addCommonOptions, type CommonValues } from "../../program/common-options.ts";
import { addExamples, defineCommand } from "../../program/define-command.ts";
import { keptGpusText } from "../../resources/cells.ts";
import { findItem } from "../../resources/find-item.ts";
import { resources } from "../../resources/resource-table.ts";
import { assignments, collect, flagsOf } from "../../resources/schema-options.ts";
import { parseTime } from "./start-time.ts";

export const { usage, run } = defineCommand("reserve", (program) => {
  program
    .optionsGroup("What:")
    .requiredOption("--gpu <type>", "the id of a GPU type; `freehold gpus` lists them")
    .option("--count <n>", "how many GPUs", "1")
    .optionsGroup("When, in the time zone of this terminal:")
    .option("--from <time>", 'such as "tomorrow 09:00", "monday 8:00" or "in 2h"', "now")
    .option("--for <span>", "how long, such as 3h or 2d")
    .option("--until <time>", "until when, in place of --for")
    .optionsGroup("For whom:")
    .option("--project <project>", "a project, by its id or name (default: you)")
    .option("--note <text>", "what it is for")
    .option(`${flagsOf("labels")} <name=value>`, "with this label (repeatable)", collect);
  addCommonOptions(program).action(reserve);
  addExamples(program, 'freehold reserve --gpu "NVIDIA A40" --from "tomorrow 09:00" --for 3h');
});

interface Values extends CommonValues {
  gpu: string;
  count: string;
  from: string;
  for?: string;
  until?: string;
  project?: string;
  note?: string;
  labels?: string[];
}

async function reserve(values: Values): Promise<void> {
  const { gpu: gpuTypeId, count, note, labels } = values;
  if (!/^\d{1,6}$/.test(count) || Number(count) === 0)
    throw new UsageError(`--count is "${count}"; it takes a whole number from 1`);
  const service = await serviceFor(values);
  const now = serviceNow();
  const from = timeOf("--from", values.from, now);
  const until = endOf(values, from, now);
  const project =
    values.project === undefined
      ? undefined
      : await findItem(service, resources.projects!, values.project);
  const reservation = await call(service, "POST /v1/reservations", {
    body: {
      gpuTypeId,
      gpuCount: Number(count),
      until: iso(until),
      // One that begins now begins when the service has it.
      ...(from > now && { from: iso(from) }),
      ...(project && { projectId: project.id }),
      ...(note !== undefined && { note }),
      ...(labels && { labels: assignments("--label", labels) }),
    },
  });
  const { id, gpuCount, project: itsProject, createdBy } = reservation;
  const name = itsProject ? `project ${itsProject.name}` : (createdBy?.name ?? "the account");
  const time = `from ${timeText(reservation.from)} until ${timeText(reservation.until)}`;
  const sentence = `Reserved ${gpuCount} x ${gpuTypeId} for ${name} ${time}: ${id}`;
  printChange(sentence, reservation, values);
  if (!values.json && !values.quiet) write(borrowersText(reservation));
}

/** What spot Pods borrow of a reservation that has begun. */
function borrowersText({ use, borrowers = [] }: Reservation): string {
  if (!use || use.lent + use.short === 0) return "";
  const names = borrowers.map(({ podId, name }) => plainText(name || podId));
  const pods = names.length === 0 ? "Spot Pods" : `Spot Pods such as ${names.join(", ")}`;
  const notice = use.lent === 0 ? "" : ` ${pods} give way once its holder needs them.`;
  return `Now: ${keptGpusText(use)}.${notice}\n`;
}

function endOf({ for: text, until }: Values, from: number, now: number): number {
  if ((text === undefined) === (until === undefined))
    throw new UsageError("reserve takes --for SPAN or --until TIME, such as --for 3h");
  if (until !== undefined) return timeOf("--until", until, Math.max(from, now));
  const ms = parseDuration(text!);
  if (ms === null) throw new UsageError(`--for is "${text}"; it takes a duration such as 3h or 2d`);
  return from + ms;
}

function timeOf(flag: string, text: string, now: number): number {
  const at = parseTime(text, now);
  if (at !== null) return at;
  throw new UsageError(
    `${flag} is "${text}"; it takes a time such as "tomorrow 09:00", "monday 8:00", "in 2h" or 2027-01-31T09:00`,
  );
}

const iso = (at: number) => new Date(at).toISOString();
