// `freehold machine slice`: shows how the GPUs of a machine are divided, and divides those that nothing runs on into shares.

import { exitCodes, Refusal, UsageError } from "../../../base/refusal.ts";
import type { Machine, MachineUpdate } from "../../../contract/rest-v1/machine/machine.ts";
import { deviceLine } from "./gpu.ts";

export const sliceOptions = {
  gpu: { type: "string", multiple: true },
  shares: { type: "string" },
  memory: { type: "string" },
  whole: { type: "boolean" },
} as const;

export interface SliceOptions {
  gpu?: string[] | undefined;
  shares?: string | undefined;
  memory?: string | undefined;
  whole?: boolean | undefined;
}

type Device = NonNullable<Machine["gpuDevices"]>[number];

/** Null if only the layout is asked for. */
export function sliceChanges(machine: Machine, options: SliceOptions): MachineUpdate | null {
  const { gpu: names, shares, memory, whole = false } = options;
  if (names === undefined && shares === undefined && memory === undefined && !whole) return null;
  const isDivision = shares !== undefined && memory !== undefined;
  if (names === undefined || isDivision === whole || (!isDivision && (shares ?? memory)))
    throw new UsageError("machine slice takes --gpu with --shares and --memory, or with --whole");
  const layout = whole
    ? null
    : { count: numberIn("shares", shares!), memoryInGb: numberIn("memory", memory!) };
  const uuids = names.flatMap((name) => uuidsNamed(machine, name));
  return { sharedGpus: Object.fromEntries(uuids.map((uuid) => [uuid, layout])) };
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

/** For example "GPU 0  GPU-…  NVIDIA A40  shared; 4 shares of 10 GB, 1 in use; abc123", and what that means. */
export function sliceLines({ gpuDevices = [] }: Machine): string {
  const lines = gpuDevices.map((device) => `${deviceLine(device)}\n`);
  const isShared = gpuDevices.some(({ shares }) => shares);
  if (isShared) lines.push("The memory of shares is declared, not enforced.\n");
  return lines.length > 0 ? lines.join("") : "It has no GPUs with UUIDs.\n";
}
