// `freehold idle`: the GPU-hours that Pods held and did not use, by member, project, Pod or day.

import { UsageError } from "../../../base/refusal.ts";
import { call } from "../../client/api.ts";
import { send } from "../../client/service-request.ts";
import { serviceFor } from "../../context/choose-service.ts";
import { printJson, printList, reportNone, write } from "../../output/answer.ts";
import { addCommonOptions, type CommonValues } from "../../program/common-options.ts";
import { defineCommand } from "../../program/define-command.ts";

export const { usage, run } = defineCommand("idle", (program) => {
  program
    .optionsGroup("Report:")
    .option("--by <group>", "member, project, pod or day (default: member)")
    .option("--from <day>", "first day, in UTC (default: 30 days before the end)")
    .option("--to <day>", "day after the last, in UTC (default: now)")
    .option("--csv", "print CSV");
  addCommonOptions(program).action(printIdleHours);
});

interface Values extends CommonValues {
  by?: string;
  from?: string;
  to?: string;
  csv?: boolean;
}

const groupings = ["member", "project", "pod", "day"] as const;

async function printIdleHours(values: Values): Promise<void> {
  const grouping = groupings.find((each) => each === (values.by ?? "member"));
  if (!grouping) throw new UsageError(`--by is "${values.by}"; it takes ${groupings.join(", ")}`);
  if (values.csv && values.json) throw new UsageError("--csv and --json exclude each other");
  const startTime = instantOf("--from", values.from);
  const endTime = instantOf("--to", values.to);
  const query = { grouping, ...(startTime && { startTime }), ...(endTime && { endTime }) };
  const service = await serviceFor(values);
  if (values.csv) {
    const search = new URLSearchParams({ ...query, format: "csv" });
    const response = await send(service, `/v1/idle-gpu-hours?${search}`, {});
    return write(await response.text());
  }
  const records = await call(service, "GET /v1/idle-gpu-hours", { query });
  if (values.json) return printJson(records);
  printList(
    records,
    [
      [grouping.toUpperCase(), ({ name }) => name],
      ["IDLE GPU-HOURS", ({ idleGpuHours }) => idleGpuHours.toFixed(1)],
      ["MEASURED", ({ measuredGpuHours }) => measuredGpuHours.toFixed(1)],
      ["IDLE", ({ idleGpuHours, measuredGpuHours }) => percentOf(idleGpuHours, measuredGpuHours)],
    ],
    ({ id }) => id ?? "none",
    values,
  );
  reportNone(records, "measured GPU-hours", values);
}

const percentOf = (part: number, whole: number) =>
  whole === 0 ? "" : `${Math.round((100 * part) / whole)}%`;

function instantOf(flag: string, day: string | undefined): string | undefined {
  if (day === undefined) return undefined;
  const at = new Date(day);
  if (!Number.isNaN(at.getTime())) return at.toISOString();
  throw new UsageError(`${flag} is "${day}"; it takes a day such as 2027-01-31`);
}
