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

/** Undefined if it ended by itself, or was stopped by Freehold. */
export function evictionIn({
  reason,
  message = "",
  conditions = [],
}: EndedStatus): Eviction | undefined {
  if (reason === "Evicted") {
    return OWN_DISK.test(message)
      ? { cause: "disk_full", sentence: `its container exceeded its disk: ${message}` }
      : { cause: "evicted", sentence: `its node evicted it: ${message}` };
  }
  const target = conditions.find(
    ({ type, status }) => type === "DisruptionTarget" && status === "True",
  );
  const sentence = DISRUPTIONS[target?.reason ?? ""];
  return sentence === undefined ? undefined : { cause: "evicted", sentence };
}
