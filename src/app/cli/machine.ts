// `freehold machine`: what machines there are and what is free on them; draining and maintenance.

import { parseArgs } from "node:util";
import type { Machine, MachineUpdate } from "../../contract/rest-v1/machine.ts";
import { Refusal } from "../refusal.ts";
import { ask } from "./ask.ts";
import { configFor, reachOptions, reachUsage, readOptions } from "./options.ts";
import { needService } from "./service.ts";

export const usage = `  freehold machine list
  freehold machine drain ID        nothing new is placed there; workers finish, Pods stay
  freehold machine undrain ID
  freehold machine maintain ID     says when it is worked on: then nothing new is placed there

  --start INSTANT   of a maintenance, 2027-01-31T18:00:00Z; without it none is planned any more
  --end INSTANT     of a maintenance
  --note TEXT       of a maintenance
  --json            the answer as JSON
${reachUsage}`;

const options = {
  ...reachOptions,
  start: { type: "string" },
  end: { type: "string" },
  note: { type: "string" },
  json: { type: "boolean", default: false },
} as const;

export async function run(args: string[]): Promise<undefined> {
  const { values, positionals } = readOptions("machine", options, () =>
    parseArgs({ args, options, allowPositionals: true }),
  );
  const [what = "list", id, ...more] = positionals;
  if (more.length > 0) throw new Refusal("machine takes one machine's id; `freehold machine list`");
  const service = await needService(configFor(values));
  const answer =
    what === "list"
      ? await ask(service, "GET", "/v1/machines")
      : await ask(service, "PATCH", `/v1/machines/${pathOf(id)}`, changesFor(what, values));
  const machines = (Array.isArray(answer) ? answer : [answer]) as Machine[];
  const text = values.json ? `${JSON.stringify(answer, null, 2)}\n` : machines.map(line).join("");
  process.stdout.write(text);
  return undefined;
}

function pathOf(id: string | undefined): string {
  if (!id) throw new Refusal("which machine? `freehold machine list` shows their ids");
  return encodeURIComponent(id);
}

interface Given {
  start?: string | undefined;
  end?: string | undefined;
  note?: string | undefined;
}

function changesFor(what: string, { start, end, note }: Given): MachineUpdate {
  if (what === "drain" || what === "undrain") return { draining: what === "drain" };
  if (what === "maintain") {
    const [maintenanceStart, maintenanceEnd] = [start ?? null, end ?? null];
    return { maintenanceStart, maintenanceEnd, maintenanceNote: note ?? null };
  }
  throw new Refusal(`"${what}" is nothing that machine does: list, drain, undrain, maintain`);
}

/** "m1  online  4 of 8 vCPUs, 10 of 16 GB, 90 of 200 GB of disk free; 1 of 2 NVIDIA A40" */
function line(machine: Machine): string {
  const { id, online, draining, lostAt, maintenanceStart, gpus } = machine;
  const state = [
    online ? "online" : lostAt ? `lost ${lostAt}` : "away",
    ...(draining ? ["draining"] : []),
    ...(maintenanceStart ? [`maintenance from ${maintenanceStart}`] : []),
  ].join(", ");
  const room = [
    `${machine.vcpuFree} of ${machine.vcpuCount} vCPUs`,
    `${machine.memoryFreeInGb} of ${machine.memoryInGb} GB`,
    `${machine.diskFreeInGb} of ${machine.diskInGb} GB of disk free`,
  ].join(", ");
  const real = gpus.filter(({ virtual }) => !virtual);
  const told = real.map(({ gpuTypeId, free, count }) => `${free} of ${count} ${gpuTypeId}`);
  const paper = gpus.length - real.length;
  const rest = paper > 0 ? [`virtual GPUs of ${paper} types`] : [];
  return `${id}  ${state}  ${[room, ...told, ...rest].join("; ")}\n`;
}
