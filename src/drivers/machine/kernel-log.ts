// Follows the kernel log of a machine for what its GPU driver says in it. The log is read by a program on the machine,
// which runs until it is stopped.

import { parseAmdLine } from "../../domain/gpu/amd-error.ts";
import {
  type LoggedDriverLine,
  parseDriverLine,
  parseKernelRecord,
} from "../../domain/gpu/kernel-line.ts";
import { kernelLogTrouble } from "../../domain/gpu/kernel-log-trouble.ts";

/** What starts a program and passes on what it prints. */
export type Follow = (
  script: string,
  args: readonly string[],
  on: {
    output: (text: string) => void;
    /** Called once, with what it printed as an error. */
    end: (error: string) => void;
  },
) => () => void;

export interface KernelReading {
  /** Identifies the start of the machine with which the log begins. */
  boot: string;
  openedAt: number;
  lines: readonly LoggedDriverLine[];
  /** True once a record of any program was read. */
  hasRecords: boolean;
}

export interface KernelLog {
  /** What was read and not dropped yet; null before the machine has said when it started. */
  read(): KernelReading | null;
  /** Drops the first lines. */
  drop(count: number): void;
  /** Why it cannot be read; null while it is. */
  trouble(): string | null;
  /** False once it has ended; it is then opened again. */
  isOpen(): boolean;
  close(): void;
}

/**
 * Prints the start of the machine and its age, then the log from its beginning. A read of the device returns one record
 * and waits for the next one; a file in its place is followed, also when it is replaced.
 */
const SCRIPT = `
cat /proc/sys/kernel/random/boot_id /proc/uptime || exit
if [ ! -c "$1" ]; then exec tail -n +1 -F "$1"; fi
if [ "$(id -u)" != 0 ] && ! (: < "$1") 2>/dev/null && sudo -n true 2>/dev/null; then
  exec sudo -n cat "$1"
fi
exec cat "$1"`;

/** Lines that wait to be recorded; a GPU in trouble can log without an end. */
const MAX_LINES = 1_000;
const MAX_LINE_LENGTH = 8_192;

export function followKernelLog(
  follow: Follow,
  file: string,
  now: () => number,
  onLine: () => void,
): KernelLog {
  let [rest, boot, startedAt, openedAt] = ["", "", 0, 0];
  let headers = 0;
  let waiting: LoggedDriverLine[] = [];
  let error: string | null = null;
  let isClosed = false;
  let hasRecords = false;

  const readLine = (text: string) => {
    if (headers === 0) boot = text.trim();
    if (headers === 1) {
      openedAt = now();
      startedAt = openedAt - 1_000 * Number.parseFloat(text);
    }
    if (headers < 2) {
      headers++;
      onLine();
      return;
    }
    hasRecords = true;
    // Most lines are of other drivers.
    const record = /NVRM: |amdgpu /.test(text) ? parseKernelRecord(text) : null;
    const line = record && (parseDriverLine(record.text) ?? parseAmdLine(record.text));
    if (!line || waiting.length >= MAX_LINES) return;
    const at = Math.min(now(), Math.round(startedAt + record.sinceBootMs));
    waiting.push({ seq: record.seq, at, line });
    onLine();
  };
  const stop = follow(SCRIPT, [file], {
    output(text) {
      const lines = (rest + text).split("\n");
      rest = lines.pop()!.slice(0, MAX_LINE_LENGTH);
      for (const line of lines) readLine(line);
    },
    end(text) {
      error = kernelLogTrouble(file, text);
      isClosed = true;
      onLine();
    },
  });
  return {
    read: () => (headers < 2 ? null : { boot, openedAt, lines: [...waiting], hasRecords }),
    drop: (count) => {
      waiting = waiting.slice(count);
    },
    trouble: () => error,
    isOpen: () => !isClosed,
    close: () => {
      isClosed = true;
      stop();
    },
  };
}
