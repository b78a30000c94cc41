// What a machine's engine says about when a container started and ended. It says so by its own clock, so it is a claim:
// it counts within what the store knows by its clock, and whatever it is off by shows how wrong the engine's clock is. Pure.

import { durationText } from "../duration.ts";

/** What a claim may be off by, because it takes time to observe. */
const TOLERANCE_MS = 2_000;

export interface Bounds {
  /** It did not happen before this instant of the store's clock. */
  earliest: number;
  /** It was observed at this instant. */
  latest: number;
}

export interface StoreInstant {
  at: number;
  /** The least by which the engine's clock is ahead; negative if it is behind, 0 if it may be right. */
  skewMs: number;
}

/** The only way from a driver's instant to one that is stored. */
export function toStoreInstant(claim: number, { earliest, latest }: Bounds): StoreInstant {
  const at = Math.min(latest, Math.max(earliest, claim));
  const skewMs = claim - at;
  return { at, skewMs: Math.abs(skewMs) > TOLERANCE_MS ? skewMs : 0 };
}

export function skewText(skewMs: number): string {
  const direction = skewMs > 0 ? "ahead of" : "behind";
  return `its clock is at least ${durationText(Math.abs(skewMs))} ${direction} the service's; synchronize it, for example with chrony`;
}
