// Why a kernel log cannot be read, from what the program says that reads it. Pure.

/**
 * Null for a program that was ended, or that ended because records were overwritten while it read: the next one
 * reads the others.
 */
export function kernelLogTrouble(file: string, text: string): string | null {
  const last = text.trim().split("\n").at(-1) ?? "";
  if (last === "" || /Broken pipe/i.test(last)) return null;
  const advice = advices.find(([words]) => words.test(last))?.[1] ?? "see docs/gpu.md, Kernel log";
  return `errors of its GPUs are not watched, since the kernel log ${file} cannot be read: ${last}; ${advice}`;
}

const advices: [words: RegExp, advice: string][] = [
  [
    /Operation not permitted/i,
    "give Freehold the capability CAP_SYSLOG, or set kernel.dmesg_restrict=0 there",
  ],
  [/Permission denied/i, "give Freehold's user the right to read it"],
  [
    /No such (?:file|device)|cannot open/i,
    "a container needs the device /dev/kmsg and the capability CAP_SYSLOG",
  ],
];
