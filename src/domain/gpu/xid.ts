// NVIDIA's Xid errors: what each says, what NVIDIA recommends, and what it means for the GPU. Pure.

import type { ErrorEffect, ErrorKind } from "./gpu-error.ts";

const RESTART_APP = "restart the application";
const RESET = "reset the GPU while nothing runs on it";
const REPLACE = "replace the GPU";
const RESTART_MACHINE = "restart the machine";
const SUPPORT = "contact the GPU's vendor";
const NOTHING = "nothing";
const DECODE = "follow NVIDIA's documentation of this NVLink error";

type Row = [codes: readonly number[], text: string, effect: ErrorEffect, recommendation: string];

/** NVIDIA's catalog of Xids; the effects are Freehold's. */
const rows: Row[] = [
  [[8], "a channel timed out", "workload", RESTART_APP],
  [[11, 25, 32, 69], "invalid commands", "workload", RESTART_APP],
  [[13], "a graphics engine exception", "workload", RESTART_APP],
  [[31], "a memory page fault", "workload", RESTART_APP],
  [[39, 40, 41], "a copy engine error", "note", RESTART_APP],
  [[68, 70, 71, 72], "a video or copy engine error", "note", RESTART_APP],
  [[43], "the GPU stopped processing", "note", RESTART_APP],
  [[45], "a clean-up after an earlier error", "note", RESTART_APP],
  [[94], "a contained memory error", "note", RESTART_APP],
  [[37, 38, 44, 66, 67], "an error of the driver", "count", NOTHING],
  [[92], "many corrected memory errors", "count", NOTHING],
  [[121, 137], "a link error", "count", NOTHING],
  [[63, 160], "a memory row was remapped", "count", RESET],
  [[159, 162, 163, 164, 165, 166, 170], "an error of its hardware", "count", NOTHING],
  [[46], "the GPU stopped processing", "quarantine", RESET],
  [[48], "an uncorrectable memory error", "quarantine", RESET],
  [[171], "an uncorrectable error of its DRAM", "quarantine", RESET],
  [[172], "an uncorrectable error of its SRAM", "quarantine", RESET],
  [[54], "a power cable is not connected", "quarantine", "connect its power cables"],
  [[61], "a microcontroller stopped at a breakpoint", "quarantine", SUPPORT],
  [[62], "a microcontroller halted", "quarantine", RESET],
  [[64, 161], "a memory row could not be remapped", "quarantine", REPLACE],
  [[157], "its memory could not be repaired", "quarantine", REPLACE],
  [[74], "an NVLink error", "quarantine", DECODE],
  [[79], "it has fallen off the bus", "quarantine", RESTART_MACHINE],
  [[95], "an uncontained memory error", "quarantine", RESET],
  [[140], "an unrecovered memory error", "quarantine", RESET],
  [[109], "a context switch timed out", "second", RESET],
  [[110], "a security fault", "quarantine", RESET],
  [[119], "its system processor did not answer", "quarantine", RESET],
  [[120], "an error of its system processor", "quarantine", RESET],
  [[136, 155], "an NVLink error", "quarantine", RESET],
  [[143], "it could not be initialized", "quarantine", RESET],
  [[151], "a key rotation failed", "quarantine", RESTART_MACHINE],
  [[156], "a resource was retired", "quarantine", RESET],
  [[158], "a fatal timeout", "quarantine", RESET],
  [[144, 145, 146, 147, 148, 149, 150], "an NVLink error", "fatal", DECODE],
  [[154], "its recovery action changed", "reading", "what its driver reports"],
  [[167], "a PCIe timeout", "quarantine", SUPPORT],
  [[168], "it has less memory than it should", "quarantine", SUPPORT],
  [[169], "its security processor halted", "quarantine", SUPPORT],
];

const catalog = new Map(
  rows.flatMap(([codes, text, effect, recommendation]) =>
    codes.map((code) => [code, { text, effect, recommendation }] as const),
  ),
);

/** A code that the catalog does not have is never fatal by itself. */
export function xidOf(code: number): ErrorKind {
  const unknown = { text: "an error", effect: "count", recommendation: NOTHING } as const;
  return catalog.get(code) ?? unknown;
}

/** Whether no reset and no restart makes the GPU usable again. */
export const needsReplacement = (code: number): boolean => xidOf(code).recommendation === REPLACE;
