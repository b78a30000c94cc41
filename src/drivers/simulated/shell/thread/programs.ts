// The programs of a simulated Pod that just-bash does not have, or answers with facts of its own.

import { type Command, defineCommand } from "just-bash/browser";
import { DAY_MS, GIB } from "../../../../base/units.ts";
import { amdSmi as amdAnswerOf } from "../../gpu/amd-programs.ts";
import { nvidiaSmi as answerOf } from "../../gpu/nvidia-smi-program.ts";
import { isAmd } from "../../gpu/simulated-gpus.ts";
import type { SimulatedPodFacts } from "../messages.ts";

export interface ProgramResult {
  stdout: string;
  stderr: string;
  exitCode: number;
  /** How long it takes; absent for no time. */
  afterMs?: number;
}

/** What a program may know. */
interface Surroundings {
  facts: SimulatedPodFacts;
  user: string;
}

type Program = (args: string[], around: Surroundings) => ProgramResult;

const KB = 1_024;

export const printed = (stdout: string): ProgramResult => ({ stdout, stderr: "", exitCode: 0 });
export const refused = (stderr: string, exitCode = 1): ProgramResult => ({
  stdout: "",
  stderr: `${stderr}\n`,
  exitCode,
});

const PROGRAMS: Record<string, Program> = {
  "amd-smi": (args, { facts }) => amdSmi(args, facts),
  "nvidia-smi": (args, { facts }) => nvidiaSmi(args, facts),
  "rocm-smi": (args, { facts }) => rocmSmi(args, facts),
  df: (args, { facts }) => printed(df(args, facts)),
  free: (args, { facts }) => printed(free(args, facts)),
  hostname: (_, { facts }) => printed(`${facts.id}\n`),
  id: (args) => printed(id(args)),
  kill: (args) => kill(args),
  nproc: (_, { facts }) => printed(`${facts.vcpus}\n`),
  ps: (args, { facts }) => printed(ps(args, facts)),
  python: python,
  python3: python,
  uname: (args, { facts }) => printed(uname(args, facts)),
  uptime: (_, { facts }) => printed(uptime(facts)),
  whoami: (_, { user }) => printed(`${user}\n`),
};

export const PROGRAM_NAMES = Object.keys(PROGRAMS);

/** A program that never ends is ended with the command that runs it. */
const MAX_MS = DAY_MS;

export function programsOf(
  facts: SimulatedPodFacts,
  sleep: (ms: number) => Promise<void>,
): Command[] {
  return Object.entries(PROGRAMS).map(([name, run]) =>
    defineCommand(name, async (args) => {
      const { afterMs = 0, ...result } = run(args, { facts, user: "root" });
      if (afterMs > 0) await sleep(Math.min(afterMs, MAX_MS));
      return result;
    }),
  );
}

function python(args: string[]): ProgramResult {
  if (args.length === 1 && ["-V", "--version"].includes(args[0]!))
    return printed("Python 3.11.2\n");
  return refused("python3: a simulated Pod runs no programs, only its shell", 127);
}

const hasFlag = (args: string[], flag: string) =>
  args.some((arg) => /^-[a-zA-Z]+$/.test(arg) && arg.includes(flag));

function df(args: string[], { diskBytes, volumes }: SimulatedPodFacts): string {
  const human = hasFlag(args, "h");
  const shown = (bytes: number) => (human ? `${Math.round(bytes / GIB)}G` : `${bytes / KB}`);
  const used = 0;
  const rows = [
    [
      "Filesystem",
      human ? "Size" : "1K-blocks",
      "Used",
      human ? "Avail" : "Available",
      "Use%",
      "Mounted on",
    ],
    ["overlay", shown(diskBytes), shown(used), shown(diskBytes), "0%", "/"],
    ...volumes.map(({ mountPath, sizeBytes }) => {
      const size = sizeBytes === null ? "-" : shown(sizeBytes);
      return ["volume", size, "-", "-", "-", mountPath];
    }),
  ];
  return aligned(rows);
}

function aligned(rows: string[][]): string {
  const widths = rows[0]!.map((_, at) => Math.max(...rows.map((row) => row[at]!.length)));
  const cell = (text: string, at: number) => {
    if (at === widths.length - 1) return text;
    return at === 0 ? text.padEnd(widths[at]!) : text.padStart(widths[at]!);
  };
  return rows.map((row) => `${row.map(cell).join(" ")}\n`).join("");
}

function free(args: string[], { memoryBytes }: SimulatedPodFacts): string {
  const unit = hasFlag(args, "g") ? GIB : hasFlag(args, "m") ? KB * KB : KB;
  const total = Math.round(memoryBytes / unit);
  const rows = [
    ["", "total", "used", "free"],
    ["Mem:", `${total}`, "0", `${total}`],
    ["Swap:", "0", "0", "0"],
  ];
  return aligned(rows);
}

function id(args: string[]): string {
  const name = hasFlag(args, "n");
  if (["u", "g", "G"].some((flag) => hasFlag(args, flag))) return name ? "root\n" : "0\n";
  return "uid=0(root) gid=0(root) groups=0(root)\n";
}

function kill(args: string[]): ProgramResult {
  if (hasFlag(args, "l")) return printed("HUP INT QUIT KILL TERM\n");
  const pids = args.filter((arg) => !arg.startsWith("-"));
  if (pids.length === 0)
    return refused("kill: usage: kill [-s sigspec | -n signum | -sigspec] pid ...", 2);
  const reason = (pid: string) => (pid === "1" ? "Operation not permitted" : "No such process");
  return refused(pids.map((pid) => `bash: kill: (${pid}) - ${reason(pid)}`).join("\n"));
}

function ps(args: string[], { command, startedAt, at }: SimulatedPodFacts): string {
  const first = command.join(" ") || "(the image's command)";
  const started = new Date(startedAt).toISOString().slice(11, 16);
  const current = new Date(at).toISOString().slice(11, 16);
  const full = args.length > 0;
  const rows = full
    ? [
        ["USER", "PID", "%CPU", "%MEM", "STAT", "START", "COMMAND"],
        ["root", "1", "0.0", "0.0", "Ss", started, first],
        ["root", "2", "0.0", "0.0", "R", current, "bash"],
      ]
    : [
        ["PID", "TTY", "TIME", "CMD"],
        ["1", "?", "00:00:00", first],
        ["2", "?", "00:00:00", "bash"],
      ];
  return aligned(rows);
}

function uname(args: string[], { id: host }: SimulatedPodFacts): string {
  const parts: [string, string][] = [
    ["s", "Linux"],
    ["n", host],
    ["r", "6.1.0-simulated"],
    ["m", "x86_64"],
    ["o", "GNU/Linux"],
  ];
  const all = hasFlag(args, "a");
  const chosen = parts.filter(([flag]) => all || hasFlag(args, flag));
  return `${(chosen.length > 0 ? chosen : parts.slice(0, 1)).map(([, text]) => text).join(" ")}\n`;
}

function uptime({ startedAt, at }: SimulatedPodFacts): string {
  const minutes = Math.max(0, Math.floor((at - startedAt) / 60_000));
  const [days, hours] = [Math.floor(minutes / 1_440), Math.floor(minutes / 60) % 24];
  const clock = `${hours}:${String(minutes % 60).padStart(2, "0")}`;
  const up = days > 0 ? `${days} days, ${clock}` : clock;
  return ` ${new Date(at).toISOString().slice(11, 19)} up ${up}\n`;
}

const missing = (program: string) => refused(`bash: ${program}: command not found`, 127);

function nvidiaSmi(args: string[], { gpus: all }: SimulatedPodFacts): ProgramResult {
  const hasNvidia = all.gpus.some((gpu) => !isAmd(gpu));
  return (hasNvidia ? answerOf(args, all) : null) ?? missing("nvidia-smi");
}

function amdSmi(args: string[], { gpus: all }: SimulatedPodFacts): ProgramResult {
  return (all.gpus.some(isAmd) ? amdAnswerOf(args, all) : null) ?? missing("amd-smi");
}

function rocmSmi(args: string[], { gpus: all }: SimulatedPodFacts): ProgramResult {
  const gpus = all.gpus.filter(isAmd);
  if (gpus.length === 0) return missing("rocm-smi");
  if (args.length > 0)
    return refused(`rocm-smi: a simulated Pod does not answer ${args.join(" ")}`, 127);
  const rows = gpus.map(({ index, name, usedMb, memoryMb, utilPercent }) => {
    const vram = memoryMb ? Math.round((100 * usedMb) / memoryMb) : 0;
    return `${index}       ${name.padEnd(28)} ${String(vram).padStart(4)}%  ${String(utilPercent).padStart(4)}%\n`;
  });
  return printed(`Device  Name                         VRAM%   GPU%\n${rows.join("")}`);
}
