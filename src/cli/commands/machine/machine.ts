// `freehold machine`: lists machines and their free resources; drains them and sets maintenance.

import { parseArgs } from "node:util";
import { useText } from "../../../app/installation/use-text.ts";
import { exitCodes, Refusal, UsageError } from "../../../base/refusal.ts";
import type { Machine, MachineUpdate } from "../../../contract/rest-v1/machine/machine.ts";
import type { RunningService } from "../../client/running-service.ts";
import { ask } from "../../client/service-request.ts";
import { serviceFor } from "../../context/choose-service.ts";
import { readOptions, serviceOptions, serviceUsage } from "../../options.ts";
import { deviceLine } from "./gpu.ts";
import { addMachine, addOptions, clusterChanges, type MachineOptions } from "./machine-add.ts";
import { type SliceOptions, sliceLines, sliceMachine, sliceOptions } from "./machine-slice.ts";

export const usage = `  freehold machine list
  freehold machine add ADDRESS     ssh://user@host, or tcp://host:2376 with TLS
  freehold machine add kubernetes --kubeconfig FILE [--context NAME]
                                   a cluster; each of its nodes becomes a machine
  freehold machine add kubernetes --in-cluster
                                   the cluster that the service runs in
  freehold machine set ID          changes a cluster: --name, --cluster, --kubeconfig and --context
  freehold machine show ID
  freehold machine gpus ID         its GPUs one by one, and what holds each; see freehold gpu
  freehold machine slice ID        how its GPUs are divided: whole, MIG devices, shares
  freehold machine slice ID --gpu GPU --shares N --memory GB [--mps]
                                   divides GPUs that nothing runs on; with --whole they are whole again
  freehold machine slice ID --gpu GPU --mig PROFILES
                                   divides one into MIG devices, where FREEHOLD_GPU_CHECKS allows it, and
                                   waits for the result; the exit code is 6 if it is refused
  freehold machine remove ID
  freehold machine trust ID        accept the host key that its SSH server has now
  freehold machine drain ID        nothing new is placed there; workers finish, Pods stay
  freehold machine undrain ID
  freehold machine clean ID INSTALLATION
                                   removes what another installation has there: containers, networks
  freehold machine maintain ID     says when it is worked on: then nothing new is placed there

  --start INSTANT   of a maintenance, 2027-01-31T18:00:00Z; without it none is planned any more
  --end INSTANT     of a maintenance
  --note TEXT       of a maintenance
  --gpu GPU         of slice: a UUID, or a GPU type for all of it there; may be repeated
  --shares N        of slice: each is a GPU type of its own, such as "NVIDIA A40 shared 1/4 10GB"
  --memory GB       of slice: of each share; declared, and not enforced without --mps
  --mps             of slice: the machine's MPS daemon limits the memory of each share
  --whole           of slice
  --mig PROFILES    of slice: such as 3g.40gb,3g.40gb; "off" ends MIG mode
  --name NAME       of one that is added, for people
  --identity FILE   its private key for SSH; without it the service's own keys and agent
  --tls FOLDER      with ca.pem, cert.pem and key.pem, for tcp://
  --kubeconfig FILE, --context NAME
                    of a cluster, with its credentials; without a context its current one
  --in-cluster      the service's own cluster, as the service account that it runs under
  --cluster JSON    of a cluster: {"networkVolumes": {"storageClass": "nfs"}, "publicPorts": "LoadBalancer"}
  --public-ip IP    where its Pods' public ports are reached
  --declare JSON    what it offers, as FREEHOLD_MACHINE has it
  --simulated-gpus JSON, --gpus JSON
                    {"NVIDIA A40": 2}: simulated GPUs; real GPUs of a tcp:// machine, which cannot be detected
  --force           removes it with the Pods and volumes that are there
  --volumes         of clean: its volumes too, with their data
  --json            the answer as JSON
${serviceUsage}`;

const options = {
  ...serviceOptions,
  start: { type: "string" },
  end: { type: "string" },
  note: { type: "string" },
  force: { type: "boolean", default: false },
  volumes: { type: "boolean", default: false },
  ...addOptions,
  ...sliceOptions,
  json: { type: "boolean", default: false },
} as const;

export async function run(args: string[]): Promise<undefined> {
  const { values, positionals } = readOptions("machine", options, () =>
    parseArgs({ args, options, allowPositionals: true }),
  );
  const [what = "list", id, ...more] = positionals;
  const installation = what === "clean" ? more.shift() : undefined;
  if (what === "clean" && !installation)
    throw new UsageError("machine clean takes the ids of a machine and of an installation there");
  if (more.length > 0)
    throw new UsageError("machine takes the id of a machine; `freehold machine list` prints them");
  const service = await serviceFor(values);
  const answer = await answerTo(service, what, id, { ...values, installation });
  if (answer === undefined) return undefined;
  const machines = (Array.isArray(answer) ? answer : [answer]) as Machine[];
  const lines = what === "slice" ? sliceLines : what === "gpus" ? gpuLines : line;
  const text = values.json ? `${JSON.stringify(answer, null, 2)}\n` : machines.map(lines).join("");
  process.stdout.write(text);
  return undefined;
}

type Values = Given &
  MachineOptions &
  SliceOptions & { force: boolean; volumes: boolean; installation: string | undefined };

async function answerTo(
  service: RunningService,
  what: string,
  id: string | undefined,
  values: Values,
) {
  if (what === "list") return ask(service, "GET", "/v1/machines");
  if (what === "show" || what === "gpus") return show(service, pathOf(id));
  if (what === "add") return addMachine(service, id, values);
  const path = `/v1/machines/${pathOf(id)}`;
  if (what === "slice") {
    const machines = await show(service, pathOf(id));
    return (await sliceMachine(service, machines[0]!, values)) ?? machines;
  }
  if (what === "remove") return remove(service, pathOf(id), values.force);
  if (what === "clean") {
    const { installation = "", volumes } = values;
    const query = volumes ? "?volumes=true" : "";
    return ask(service, "DELETE", `${path}/installations/${pathOf(installation)}${query}`);
  }
  const changes = what === "set" ? clusterChanges(values) : changesFor(what, values);
  return ask(service, "PATCH", path, changes);
}

/** A machine, or a cluster with its nodes. */
async function show(service: RunningService, id: string): Promise<Machine[]> {
  const all = (await ask(service, "GET", "/v1/machines")) as Machine[];
  const found = all.filter((each) => decodeURIComponent(id) === each.id || each.cluster === id);
  if (found.length === 0)
    throw new Refusal(`there is no machine ${decodeURIComponent(id)}`, exitCodes.notFound);
  return found;
}

/** Prints what was removed, since the answer has no body. */
async function remove(service: RunningService, id: string, force: boolean): Promise<undefined> {
  const all = (await ask(service, "GET", "/v1/machines")) as Machine[];
  const machine = all.find((each) => each.id === id);
  await ask(service, "DELETE", `/v1/machines/${id}${force ? "?force=true" : ""}`);
  const parts = [
    `removed machine ${[id, machine?.name, machine?.address].filter(Boolean).join(" ")}`,
    ...(force ? ["its Pods, workers and network volumes are deleted"] : []),
    ...(machine ? [leftOn(machine)] : []),
  ];
  process.stdout.write(`${parts.join("; ")}\n`);
}

function leftOn(machine: Machine): string {
  if (machine.online) return "Freehold's containers and networks there are being removed";
  if (machine.seenAt === undefined) return "it was never reached";
  return `it does not answer, so its containers stay, with the label freehold.machine=${machine.id}`;
}

function stateOf({ online, lostAt, seenAt }: Machine): string {
  if (online) return "online";
  if (lostAt) return `lost ${lostAt}`;
  return seenAt === undefined ? "never reached" : "offline";
}

function pathOf(id: string | undefined): string {
  if (!id)
    throw new UsageError("machine needs the id of a machine; `freehold machine list` prints them");
  return encodeURIComponent(id);
}

const KNOWN = "list, show, gpus, slice, add, set, remove, trust, drain, undrain, clean, maintain";

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
  throw new UsageError(`"${what}" is not a subcommand of machine; it has ${KNOWN}`);
}

const gpuLines = ({ gpuDevices = [] }: Machine): string =>
  gpuDevices.map((each) => `${deviceLine(each)}\n`).join("");

/**
 * For example "m1 online 4 of 8 vCPUs, 10 of 16 GB, 90 of 200 GB of disk free; 1 of 2 NVIDIA A40".
 */
function line(machine: Machine): string {
  const { id, online, draining, maintenanceStart, gpus, name, address, trouble } = machine;
  const state = [
    stateOf(machine),
    ...(draining ? ["draining"] : []),
    ...(machine.simulated ? ["simulated"] : []),
    ...(machine.closed ? [machine.closed] : []),
    ...(machine.address && machine.isolation ? [`isolation ${machine.isolation}`] : []),
    ...(maintenanceStart ? [`maintenance from ${maintenanceStart}`] : []),
  ].join(", ");
  const { vcpuCount, cpuOvercommit } = machine;
  const cpus = cpuOvercommit
    ? `${Math.floor(vcpuCount * cpuOvercommit)} vCPUs (${vcpuCount}, over-committed)`
    : `${vcpuCount} vCPUs`;
  const room = [
    `${machine.vcpuFree} of ${cpus}`,
    `${machine.memoryFreeInGb} of ${machine.memoryInGb} GB`,
    `${machine.diskFreeInGb} of ${machine.diskInGb} GB of disk free`,
  ].join(", ");
  const real = gpus.filter(({ virtual }) => !virtual);
  const free = real.map((gpu) => `${gpu.free} of ${gpu.count} ${gpu.gpuTypeId}`);
  const virtualTypes = gpus.length - real.length;
  const rest = virtualTypes > 0 ? [`simulated GPUs of ${virtualTypes} types`] : [];
  const where = [name, address].filter(Boolean).join(" ");
  const lead = [id, ...(where ? [where] : []), state].join("  ");
  const network = fabricText(machine);
  const others = (machine.unknownInstallations ?? []).map(unknownLine).join("");
  if (!online && trouble) return `${lead}: ${trouble}\n${others}`;
  return `${lead}  ${[room, ...free, ...rest, ...network].join("; ")}\n${others}`;
}

function fabricText({ fabric }: Machine): string[] {
  if (!fabric) return [];
  const { name, address, trouble } = fabric;
  return [`fabric ${name} at ${address}${trouble ? `, not joined: ${trouble}` : ""}`];
}

function unknownLine(use: NonNullable<Machine["unknownInstallations"]>[number]): string {
  return `    another installation ${use.id}: ${useText(use)}${use.removing ? ", being removed" : ""}\n`;
}
