// `freehold machine`: what machines there are and what is free on them; draining and maintenance.

import { parseArgs } from "node:util";
import type { Machine, MachineUpdate } from "../../contract/rest-v1/machine.ts";
import { Refusal } from "../refusal.ts";
import { ask } from "./ask.ts";
import { addMachine, addOptions, type MachineOptions } from "./machine-add.ts";
import { homeFor, reachOptions, reachUsage, readOptions } from "./options.ts";
import { needService, type Service } from "./service.ts";

export const usage = `  freehold machine list
  freehold machine add ADDRESS     ssh://user@host, or tcp://host:2376 with TLS
  freehold machine remove ID
  freehold machine trust ID        takes the host key that its SSH server has now
  freehold machine drain ID        nothing new is placed there; workers finish, Pods stay
  freehold machine undrain ID
  freehold machine maintain ID     says when it is worked on: then nothing new is placed there

  --start INSTANT   of a maintenance, 2027-01-31T18:00:00Z; without it none is planned any more
  --end INSTANT     of a maintenance
  --note TEXT       of a maintenance
  --name NAME       of one that is added, for people
  --identity FILE   its private key for SSH; without it the service's own keys and agent
  --tls FOLDER      with ca.pem, cert.pem and key.pem, for tcp://
  --public-ip IP    where its Pods' public ports are reached
  --declare JSON    what it offers, as FREEHOLD_MACHINE has it
  --virtual-gpus JSON, --gpus JSON
                    {"NVIDIA A40": 2}: on paper; really there where nobody can look (tcp://)
  --force           removes it with the Pods and volumes that are there
  --json            the answer as JSON
${reachUsage}`;

const options = {
  ...reachOptions,
  start: { type: "string" },
  end: { type: "string" },
  note: { type: "string" },
  force: { type: "boolean", default: false },
  ...addOptions,
  json: { type: "boolean", default: false },
} as const;

export async function run(args: string[]): Promise<undefined> {
  const { values, positionals } = readOptions("machine", options, () =>
    parseArgs({ args, options, allowPositionals: true }),
  );
  const [what = "list", id, ...more] = positionals;
  if (more.length > 0) throw new Refusal("machine takes one machine's id; `freehold machine list`");
  const service = await needService(homeFor(values));
  const answer = await answerTo(service, what, id, values);
  if (answer === undefined) return undefined;
  const machines = (Array.isArray(answer) ? answer : [answer]) as Machine[];
  const text = values.json ? `${JSON.stringify(answer, null, 2)}\n` : machines.map(line).join("");
  process.stdout.write(text);
  return undefined;
}

type Values = Given & MachineOptions & { force: boolean };

async function answerTo(service: Service, what: string, id: string | undefined, values: Values) {
  if (what === "list") return ask(service, "GET", "/v1/machines");
  if (what === "add") return addMachine(service, id, values);
  const path = `/v1/machines/${pathOf(id)}`;
  if (what === "remove")
    return ask(service, "DELETE", `${path}${values.force ? "?force=true" : ""}`);
  return ask(service, "PATCH", path, changesFor(what, values));
}

function pathOf(id: string | undefined): string {
  if (!id) throw new Refusal("which machine? `freehold machine list` shows their ids");
  return encodeURIComponent(id);
}

const KNOWN = "list, add, remove, trust, drain, undrain, maintain";

interface Given {
  start?: string | undefined;
  end?: string | undefined;
  note?: string | undefined;
}

function changesFor(what: string, { start, end, note }: Given): MachineUpdate {
  if (what === "drain" || what === "undrain") return { draining: what === "drain" };
  if (what === "trust") return { hostKey: null };
  if (what === "maintain") {
    const [maintenanceStart, maintenanceEnd] = [start ?? null, end ?? null];
    return { maintenanceStart, maintenanceEnd, maintenanceNote: note ?? null };
  }
  throw new Refusal(`"${what}" is nothing that machine does: ${KNOWN}`);
}

/** "m1  online  4 of 8 vCPUs, 10 of 16 GB, 90 of 200 GB of disk free; 1 of 2 NVIDIA A40" */
function line(machine: Machine): string {
  const { id, online, draining, lostAt, maintenanceStart, gpus, name, address, trouble } = machine;
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
  const where = [name, address].filter(Boolean).join(" ");
  const lead = [id, ...(where ? [where] : []), state].join("  ");
  if (!online && trouble) return `${lead}: ${trouble}\n`;
  return `${lead}  ${[room, ...told, ...rest].join("; ")}\n`;
}
