// Whether Kubernetes ended a Pod by itself, and why. Pure.

import type { Eviction } from "../../driver.ts";

interface EndedStatus {
  reason?: string;
  message?: string;
  conditions?: { type: string; status: string; reason?: string; message?: string }[];
}

const OWN_DISK =
  /ephemeral[- ](?:local )?storage (?:usage exceeds|limit)|usage of emptydir volume/i;

const DISRUPTIONS: Readonly<Record<string, string>> = {
  PreemptionByScheduler: "a Pod with a higher priority took its place in Kubernetes",
  EvictionByEvictionAPI: "it was evicted in Kubernetes, as a drain of its node does",
  DeletionByTaintManager: "its node got a taint in Kubernetes that it does not tolerate",
};

/** Undefined if it ended by itself. `isDeleted` is also true after a stop by Freehold. */
export function evictionIn(
  { reason, message = "", conditions = [] }: EndedStatus,
  isDeleted: boolean,
): Eviction | undefined {
  if (reason === "Evicted") {
    return OWN_DISK.test(message)
      ? { cause: "disk_full", sentence: `its container exceeded its disk: ${message}` }
      : { cause: "evicted", sentence: `its node evicted it: ${message}` };
  }
  const target = conditions.find(
    ({ type, status }) => type === "DisruptionTarget" && status === "True",
  );
  const disruption = DISRUPTIONS[target?.reason ?? ""];
  if (disruption !== undefined) return { cause: "evicted", sentence: disruption };
  return isDeleted ? { cause: "evicted", sentence: DELETED } : undefined;
}

const DELETED = "its Pod was deleted in Kubernetes";
