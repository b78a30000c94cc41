// `freehold machine slice`: shows how the GPUs of a machine are divided, and divides those that nothing runs on into shares or
// MIG devices.

import type { Command as Program } from "commander";
import { pause, systemClock } from "../../base/clock.ts";
import { exitCodes, Refusal, UsageError } from "../../base/refusal.ts";
import type { Machine } from "../../contract/rest-v1/machine/machine.ts";
import type { MachineUpdate } from "../../contract/rest-v1/machine/machine-write.ts";
import { call } from "../client/api.ts";
import type { RunningService } from "../client/running-service.ts";
import { serviceFor } from "../context/choose-service.ts";
import { printJson, write } from "../output/answer.ts";
import { addCommonOptions, type CommonValues } from "../program/common-options.ts";
import { addExamples } from "../program/define-command.ts";
import { findItem } from "../resources/find-item.ts";
import { resources } from "../resources/resource-table.ts";
import { collect } from "../resources/schema-options.ts";
import { deviceLine, waitReporter } from "./gpu-devices.ts";

interface Values extends CommonValues {
  gpu?: string[];
  shares?: string;
  memory?: string;
  mps?: boolean;
  whole?: boolean;
  /** Profiles with commas between them, or "off". */
  mig?: string;
}

export function addMachineSlice(program: Program): void {
  const command = program
    .command("slice")
    .description("show how the GPUs of a machine are divided, or divide those that nothing runs on")
    .argument("<machine>", "an id or a name")
    .optionsGroup("Which GPUs:")
    .option("--gpu <gpu>", "a UUID, or a GPU type for all of it there (repeatable)", collect)
    .optionsGroup("Into shares:")
    .option(
      "--shares <number>",
      "each is a GPU type of its own, such as NVIDIA A40 shared 1/4 10GB",
    )
    .option("--memory <gb>", "of each share; declared, and not enforced without --mps")
    .option("--mps", "the machine's MPS daemon limits the memory of each share")
    .optionsGroup("Into MIG devices:")
    .option("--mig <profiles>", "such as 3g.40gb,3g.40gb; off ends MIG mode")
    .optionsGroup("Not at all:")
    .option("--whole", "the GPUs are offered whole again");
  addExamples(
    command,
    "freehold machine slice own",
    'freehold machine slice own --gpu "NVIDIA A40" --shares 4 --memory 10',
    "freehold machine slice own --gpu GPU-5c89852c-d268-c3f3-1b07-005d5ae1dc3f --mig 3g.40gb,3g.40gb",
  );
  addCommonOptions(command).action(slice);
}

async function slice(word: string, values: Values): Promise<void> {
  const service = await serviceFor(values);
  const machine = (await findItem(service, resources.machine!, word)) as unknown as Machine;
  const result = (await sliceMachine(service, machine, values)) ?? machine;
  if (values.json) printJson(result);
  else if (values.quiet) write(`${result.id}\n`);
  else write(sliceLines(result));
}

type Device = NonNullable<Machine["gpuDevices"]>[number];

const USAGE =
  "machine slice takes --gpu with --shares, --memory and perhaps --mps, with --whole, or with --mig";

/** Null if only the layout is asked for. */
function sliceChanges(machine: Machine, options: Values): MachineUpdate | null {
  const { gpu: names, shares, memory, mps = false, whole = false, mig } = options;
  const isShare = shares !== undefined || memory !== undefined || mps;
  if (names === undefined && !isShare && !whole && mig === undefined) return null;
  const ways = [isShare, whole, mig !== undefined].filter(Boolean).length;
  if (names === undefined || ways !== 1) throw new UsageError(USAGE);
  const uuids = names.flatMap((name) => uuidsNamed(machine, name));
  if (mig !== undefined) {
    const profiles = mig === "off" ? null : mig.split(",").map((name) => name.trim());
    return { migLayouts: Object.fromEntries(uuids.map((uuid) => [uuid, profiles])) };
  }
  if (isShare && (shares === undefined || memory === undefined)) throw new UsageError(USAGE);
  if (whole) refuseMigMode(machine, uuids);
  const layout = whole
    ? null
    : {
        count: numberIn("shares", shares!),
        memoryInGb: numberIn("memory", memory!),
        ...(mps && { mps: true as const }),
      };
  return { sharedGpus: Object.fromEntries(uuids.map((uuid) => [uuid, layout])) };
}

/** To end its shares would change nothing of a GPU in MIG mode. */
function refuseMigMode({ gpuDevices = [] }: Machine, uuids: readonly string[]): void {
  const device = gpuDevices.find(({ slice }) => slice && uuids.includes(slice.gpuUuid));
  if (device) throw new Refusal(`GPU ${device.slice!.gpuUuid} is in MIG mode; --mig off ends it`);
}

function numberIn(option: string, text: string): number {
  if (!/^\d{1,6}$/.test(text)) throw new UsageError(`--${option} takes a whole number`);
  return Number(text);
}

/** A UUID, or all GPUs of a type. */
function uuidsNamed({ id, gpuDevices = [] }: Machine, name: string): string[] {
  const isNamed = ({ uuid, gpuTypeId, slice }: Device) =>
    uuid === name || (gpuTypeId === name && !slice);
  const uuids = gpuDevices.filter(isNamed).map(({ uuid }) => uuid);
  if (uuids.length > 0) return uuids;
  const next = `\`freehold machine slice ${id}\` prints those that it has`;
  throw new Refusal(`machine ${id} has no GPU ${name}; ${next}`, exitCodes.notFound);
}

const POLL_MS = 500;

/** The machine once its GPUs are divided as the options say; null if these ask for no change. */
async function sliceMachine(
  service: RunningService,
  machine: Machine,
  options: Values,
): Promise<Machine | null> {
  const changes = sliceChanges(machine, options);
  if (changes === null) return null;
  const params = { machineId: machine.id };
  let changed = await call(service, "PATCH /v1/machines/{machineId}", { params, body: changes });
  const uuids = Object.keys(changes.migLayouts ?? {});
  const named = () => (changed.gpuDevices ?? []).filter(({ uuid }) => uuids.includes(uuid));
  const nextWaiting = () => named().find(({ migChange }) => migChange?.outcome === "pending");
  const reportWait = waitReporter();
  for (let waiting = nextWaiting(); waiting; waiting = nextWaiting()) {
    reportWait(waiting.uuid, changed, waiting.migChange);
    await pause(systemClock, POLL_MS);
    const all = await call(service, "GET /v1/machines");
    changed = all.find(({ id }) => id === machine.id) ?? { ...changed, gpuDevices: [] };
  }
  const refused = named().filter(({ migChange }) => migChange && migChange.outcome !== "set");
  if (refused.length === 0) return changed;
  const texts = refused.map(({ number, migChange }) => `GPU ${number}: ${migChange!.text}`);
  throw new Refusal(texts.join("; "), exitCodes.unsuccessful);
}

/** For example "  MIG profiles: 7 × 1g.10gb, 7g.80gb"; empty for a GPU of which none are known. */
function profileLine({ migProfiles }: Device): string {
  if (!migProfiles) return "";
  const names = migProfiles.profiles.map(({ name, count }) =>
    count === 1 ? name : `${count} × ${name}`,
  );
  const source = migProfiles.source === "driver" ? "" : ", as NVIDIA documents them";
  return `  MIG profiles${source}: ${names.join(", ")}\n`;
}

/** For example "GPU 0  GPU-…  NVIDIA A40  shared; 4 shares of 10 GB, 1 in use; abc123", and what that means. */
function sliceLines({ gpuDevices = [] }: Machine): string {
  const lines = gpuDevices.map((device) => `${deviceLine(device)}\n${profileLine(device)}`);
  const layouts = gpuDevices.flatMap(({ shares }) => shares ?? []);
  const hasMps = layouts.some(({ mps }) => mps);
  if (layouts.some(({ mps }) => !mps))
    lines.push(`The memory of shares ${hasMps ? "without MPS " : ""}is declared, not enforced.\n`);
  if (hasMps) lines.push("MPS limits the memory of its shares, unless a program leaves MPS.\n");
  return lines.length > 0 ? lines.join("") : "It has no GPUs with UUIDs.\n";
}
