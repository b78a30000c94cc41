// What something would cost, told before it is made. Amounts are micro-dollars per hour.

import type { PassedOver } from "../placement/decide.ts";

export interface Quote {
  kind: "pod" | "endpoint" | "networkVolume";
  /** Why there is no place for it now; null where there is one. */
  passedOver: readonly PassedOver[] | null;
  /** Why it would be refused for what it costs; null where it would not. */
  refused: { code: string; sentence: string } | null;
  gpuTypeId: string | null;
  gpuCount: number;
  cpuFlavorId: string | null;
  /** What it computes on: of a Pod, or of one worker. */
  compute: number;
  /** Of that, what savings plans pay for that would cover it. */
  paidAhead: number;
  /** What is charged per hour while it runs: with its disks, without what is paid ahead. */
  running: number;
  /** Of a Pod that is stopped: what is left of its disks. */
  stopped: number;
  /** How many workers an endpoint has at least and at most. */
  workers: { min: number; max: number } | null;
  /** What it would be on other types of GPU that are asked for. */
  alternatives: { gpuTypeId: string; compute: number; available: boolean }[];
}

/** Those that were asked for, or all there are; the one it would get is none of them. */
export function alternativesOf(
  asked: readonly string[],
  all: readonly string[],
  chosen: string | null,
): string[] {
  return (asked.length > 0 ? asked : all).filter((id) => id !== chosen);
}
