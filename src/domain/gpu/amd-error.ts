// What AMD's driver says in the kernel log about a GPU, and what it means. The driver has no numbers for its errors, and
// its words are matched: those of Linux 5.4 to 6.17 and of ROCm's driver. Pure.

import type { ErrorKind } from "./gpu-error.ts";
import { type DriverLine, pciAddress } from "./kernel-line.ts";

const RESTART_APP = "restart the application";
const RESET = "reset the GPU while nothing runs on it";
const RESTART_MACHINE = "restart the machine";

const kinds = {
  amd_page_fault: ["a memory page fault", "workload", RESTART_APP],
  amd_hang: ["a program hung on it", "workload", RESTART_APP],
  // The driver resets the GPUs that are linked with one another together, whichever of them failed.
  amd_reset: ["its driver reset it, and what ran on it was lost", "note", RESTART_APP],
  amd_reset_begin: ["its driver resets it", "reading", "what its driver reports"],
  amd_reset_failed: ["its driver could not reset it", "quarantine", RESTART_MACHINE],
  amd_lost: ["its driver found it off the bus", "quarantine", RESTART_MACHINE],
  amd_uncorrectable: ["an uncorrectable error of its hardware", "quarantine", RESET],
  amd_bad_pages: [
    "it has more bad memory pages than its driver allows",
    "quarantine",
    "follow AMD's service action guide for it",
  ],
} as const;

export type AmdErrorCode = keyof typeof kinds;

export function amdErrorOf(code: AmdErrorCode): ErrorKind {
  const [text, effect, recommendation] = kinds[code];
  return { text, effect, recommendation };
}

/** Whether a reset or a restart makes no difference. */
export const isLasting = (code: string): boolean => code === "amd_bad_pages";

const messages: [words: RegExp, code: AmdErrorCode][] = [
  // A fault without a program, in the address space 0, is the driver's own.
  [
    /^\[\w+\] (?:(?:no-)?retry )?page fault \(src_id:\d+ ring:\d+ vmid:(?!0\b)\d+/,
    "amd_page_fault",
  ],
  [/^ring \S+ timeout, /, "amd_hang"],
  [/^(?:The cp|MES) might be in (?:an )?unrecoverable state/, "amd_hang"],
  [/^GPU reset begin!/, "amd_reset_begin"],
  [/^GPU reset\(\d+\) succeeded!/, "amd_reset"],
  [/^GPU reset\(\d+\) failed/, "amd_reset_failed"],
  [/^GPU reset end with ret = -\d+/, "amd_reset_failed"],
  [/^GPU Recovery Failed: -\d+/, "amd_reset_failed"],
  [/^device lost from bus!/, "amd_lost"],
  // The lines "in total" follow those of new errors, and count all since the driver was loaded.
  [
    /^(?:socket: \d+, die: \d+,? )?[1-9]\d* (?:new )?uncorrectable hardware errors detected in (?!total\b)/,
    "amd_uncorrectable",
  ],
  [/^uncorrectable hardware error\(ERREVENT_ATHUB_INTERRUPT\) detected!/i, "amd_uncorrectable"],
  [/^RAS records:\d+ exceed threshold:\d+/, "amd_bad_pages"],
];

/** Null for every other line, and for one that names no GPU. */
export function parseAmdLine(line: string): (DriverLine & { kind: "amd" }) | null {
  const [, place = "", rest = ""] = /^amdgpu ([0-9a-f:.]+): ([\s\S]*)/i.exec(line) ?? [];
  const pci = pciAddress(place);
  if (pci === null) return null;
  const message = rest.replace(PREFIXES, "").replace(/\s+/g, " ").trim();
  const [, code] = messages.find(([words]) => words.test(message)) ?? [];
  return code === undefined ? null : { kind: "amd", pci, code, detail: message.slice(0, 300) };
}

/** The module's name, which newer kernels leave out, the function, and the number of an event of the RAS. */
const PREFIXES = /^(?:amdgpu: |\[drm[^\]]*\]\]? |\*ERROR\* |\{\d+\}\s*)+/;
