// The errors of GPUs that their drivers log: Xids of NVIDIA by their numbers, and those of AMD by names. Pure.

import { type AmdErrorCode, amdErrorOf, isLasting } from "./amd-error.ts";
import { needsReplacement, xidOf } from "./xid.ts";

/**
 * `quarantine`: the GPU gets no new workload. `second`: a second one within a day does that. `workload`: its program
 * caused it, and several programs that fail on one GPU make it the GPU's. `note`: its program is to be restarted. `fatal`: a quarantine if the line says "Fatal". `reading`: the driver's readings say what it means. `count`: nothing.
 */
export type ErrorEffect =
  | "quarantine"
  | "second"
  | "workload"
  | "note"
  | "fatal"
  | "reading"
  | "count";

export interface ErrorKind {
  /** What happened, in words. */
  text: string;
  effect: ErrorEffect;
  recommendation: string;
}

/** A number is an Xid. */
export type GpuErrorCode = number | AmdErrorCode;

export const errorKindOf = (code: GpuErrorCode): ErrorKind =>
  typeof code === "number" ? xidOf(code) : amdErrorOf(code);

/** "Xid 79", or "an error" */
export const errorName = (code: GpuErrorCode): string =>
  typeof code === "number" ? `Xid ${code}` : "an error";

/** "Xid 79: it has fallen off the bus" */
export function errorText(code: GpuErrorCode): string {
  const { text } = errorKindOf(code);
  return typeof code === "number" ? `Xid ${code}: ${text}` : text;
}

/** "NVIDIA recommends: reset the GPU" */
export function adviceText(code: GpuErrorCode): string {
  const { recommendation } = errorKindOf(code);
  return `${typeof code === "number" ? "NVIDIA" : "Freehold"} recommends: ${recommendation}`;
}

/** The code of a quarantine. */
export const quarantineCode = (code: GpuErrorCode): `xid_${number}` | AmdErrorCode =>
  typeof code === "number" ? `xid_${code}` : code;

/** Whether no reset and no restart ends what put a GPU in quarantine with this code. */
export function lastsForever(code: string): boolean {
  const [, xid] = /^xid_(\d+)$/.exec(code) ?? [];
  return xid === undefined ? isLasting(code) : needsReplacement(Number(xid));
}
