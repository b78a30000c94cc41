// The answer of /v1/idle-gpu-hours.

import { HOUR_MS } from "../../../base/units.ts";
import type {
  IdleGpuRecord,
  idleGpuOperations,
} from "../../../contract/rest-v1/account/idle-gpu.ts";
import type { FlowDeps } from "../../../flows/flow-deps.ts";
import { type IdleGpuTime, idleGpuTimes } from "../../../flows/idle-gpu/read.ts";
import { csv } from "../../management/serve/csv.ts";
import type { OperationRequest } from "../../management/serve/serve.ts";

export async function listIdleGpuHours(
  deps: FlowDeps,
  { accountId, query, reply }: OperationRequest<(typeof idleGpuOperations)["listIdleGpuHours"]>,
) {
  const { grouping = "member", startTime, endTime, format } = query;
  const parse = (text: string | undefined) => (text === undefined ? null : Date.parse(text));
  const window = { startTime: parse(startTime), endTime: parse(endTime) };
  const times = await idleGpuTimes(deps, accountId, { grouping, ...window });
  const records = times.map(recordRead);
  if (format !== "csv") return records;
  return reply.type("text/csv; charset=utf-8").send(csv(records));
}

function recordRead({ id, name, idleMs, measuredMs }: IdleGpuTime): IdleGpuRecord {
  return { id, name, idleGpuHours: hoursOf(idleMs), measuredGpuHours: hoursOf(measuredMs) };
}

/** To the thousandth. */
const hoursOf = (ms: number) => Math.round((ms * 1_000) / HOUR_MS) / 1_000;
