// Divides a GPU into MIG devices, or ends its MIG mode. What cannot be done leaves the GPU as it was, also if the service
// was interrupted between: how the GPU was divided is recorded before anything of it changes.

import type { MigChangeResult, MigDivision } from "../../../domain/gpu/mig/mig-layout.ts";
import { isSameDivision, isWholeLayout } from "../../../domain/gpu/mig/mig-layout.ts";
import { type MigProfile, summaryOf } from "../../../domain/gpu/mig/mig-profiles.ts";
import type { Run } from "../run.ts";
import { MigGpu, MigRefusal } from "./mig-gpu.ts";

/** A GPU that changes its MIG mode is reset, which takes a while. */
export const MIG_COMMAND_MS = 120_000;
/** A program that a faulty driver holds cannot be killed, and over SSH nothing ends one. */
const ANSWER_MS = MIG_COMMAND_MS + 5_000;

/** The record of a change, which outlasts the service. */
export interface MigRecord {
  /** How the GPU was divided before the change began; null if it has not begun. */
  earlier: MigDivision | null;
  /** Records it. Resolves to false if the change is no longer wanted. */
  begin(earlier: MigDivision): Promise<boolean>;
}

/**
 * `profiles` is null to end MIG mode. Resolves to null for a change that is no longer wanted. Rejects with DriverUnavailable
 * if the machine is not reached.
 */
export type SetMigLayout = (
  uuid: string,
  profiles: readonly string[] | null,
  record: MigRecord,
) => Promise<MigChangeResult | null>;

/** Nothing of Freehold's may use the GPU. A program that has not ended after `answerMs` counts as one that failed. */
export function migSetter(run: Run, answerMs = ANSWER_MS): SetMigLayout {
  return async (uuid, profiles, record) => {
    try {
      return await changeOrRestore(new MigGpu(run, uuid, answerMs), profiles, record);
    } catch (error) {
      if (error instanceof MigRefusal) return { outcome: "refused", text: error.message };
      if (error instanceof Withdrawn) return null;
      throw error;
    }
  };
}

/** Reads the profiles of a GPU in MIG mode. Resolves to none if the driver does not list them. */
export function migProfileReader(run: Run): ReadMigProfiles {
  return async (uuid) => {
    try {
      return await new MigGpu(run, uuid, ANSWER_MS).profiles();
    } catch (error) {
      if (error instanceof MigRefusal) return [];
      throw error;
    }
  };
}

export type ReadMigProfiles = (uuid: string) => Promise<MigProfile[]>;

class Withdrawn extends Error {}

/** A driver that refuses a change may have made a part of it. */
async function changeOrRestore(
  gpu: MigGpu,
  profiles: readonly string[] | null,
  { earlier, begin }: MigRecord,
): Promise<MigChangeResult> {
  let before = earlier;
  try {
    const now = await gpu.division();
    if (profiles !== null && profiles.length > 0 && isWholeLayout(now, profiles))
      return { outcome: "set", text: `it has ${summaryOf(profiles)}` };
    await gpu.requireIdle();
    const beginOnce = async () => {
      if (before !== null) return;
      if (!(await begin(now))) throw new Withdrawn();
      before = now;
    };
    return profiles === null
      ? await endMig(gpu, now, beginOnce)
      : await divide(gpu, { now, profiles }, beginOnce);
  } catch (error) {
    if (!(error instanceof MigRefusal) || before === null) throw error;
    throw new MigRefusal(`${error.message}${await restore(gpu, before)}`);
  }
}

/** Ends MIG mode with all that is on the GPU. */
async function endMig(
  gpu: MigGpu,
  { isEnabled }: MigDivision,
  begin: () => Promise<void>,
): Promise<MigChangeResult> {
  if (!isEnabled) return { outcome: "set", text: "it is not in MIG mode" };
  await begin();
  await gpu.destroyAll();
  await gpu.switchMode("Disabled");
  return { outcome: "set", text: "MIG mode is off" };
}

async function divide(
  gpu: MigGpu,
  { now, profiles }: { now: MigDivision; profiles: readonly string[] },
  begin: () => Promise<void>,
): Promise<MigChangeResult> {
  if (!now.isEnabled) {
    await begin();
    await gpu.switchMode("Enabled");
  }
  const order = await gpu.plan(profiles);
  const text = profiles.length === 0 ? "it has no MIG devices" : `it has ${summaryOf(profiles)}`;
  if (isWholeLayout(now, profiles)) return { outcome: "set", text };
  await begin();
  await gpu.destroyAll();
  await gpu.create(order);
  return { outcome: "set", text };
}

/** Says how the GPU is divided now; empty if nothing had changed, or if it had no devices. */
async function restore(gpu: MigGpu, before: MigDivision): Promise<string> {
  try {
    const now = await gpu.division();
    if (isSameDivision(now, before)) return "";
    if (now.isEnabled) await gpu.destroyAll();
    if (now.isEnabled !== before.isEnabled)
      await gpu.switchMode(before.isEnabled ? "Enabled" : "Disabled");
    if (before.isEnabled) await gpu.create(await gpu.plan(before.instances));
    if (isSameDivision(await gpu.division(), before))
      return before.instances.length > 0 ? "; it is divided as before" : "";
  } catch (error) {
    if (!(error instanceof MigRefusal)) throw error;
  }
  return before.isEnabled ? "; it is not divided as before" : "; MIG mode stays on";
}
