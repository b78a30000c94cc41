// Runs a command in a sandbox to its end and returns its output.

import type { Clock } from "../../base/clock.ts";
import { ExecRefused } from "../../domain/container/exec-refused.ts";
import { Fault } from "../../domain/fault.ts";
import type { Execution } from "../../drivers/driver.ts";
import type { Store } from "../../store/engine/store.ts";
import {
  type CommandHold,
  noteCommandBegin,
  noteCommandEnd,
} from "../../transactions/sandbox/change.ts";
import { execIn } from "../pod/exec.ts";
import type { LogSources } from "../replica/log-source.ts";
import { isStoreUnavailable } from "../store-unavailable.ts";
import { throwRefusal } from "../throw-refusal.ts";

/** Clients wait for a response for 30 seconds. */
export const DEFAULT_EXEC_SECONDS = 25;

/** Bounds the memory of a response; what a command writes beyond it is discarded. */
const MAX_OUTPUT_BYTES = 1_048_576;

export interface ExecDeps extends LogSources {
  store: Store;
  clock: Clock;
}

export interface SandboxCommand {
  accountId: string;
  id: string;
  command: string[];
  timeoutSeconds: number;
}

export interface ExecResult {
  /** Both outputs in the order in which they arrived. */
  output: string;
  stdout: string;
  stderr: string;
  /** Null if the command was ended. */
  exitCode: number | null;
  error: string | null;
  durationMs: number;
  truncated: boolean;
}

/** The signal ends the command. */
export async function execInSandbox(
  deps: ExecDeps,
  { accountId, id, command, timeoutSeconds }: SandboxCommand,
  signal: AbortSignal,
): Promise<ExecResult> {
  const { store, clock } = deps;
  const startedTicks = clock.ticks();
  const limitMs = timeoutSeconds * 1_000;
  const { pod, hold } = await throwRefusal(
    store.write(noteCommandBegin, { accountId, id }, clock.now(), limitMs),
  );
  beginHold(store, id, hold);
  try {
    const execution = await execIn(deps, pod, { command, tty: null });
    const result = await resultOf(execution, clock, limitMs, signal);
    return { ...result, durationMs: Math.round(clock.ticks() - startedTicks) };
  } catch (error) {
    if (!(error instanceof ExecRefused)) throw error;
    const detail = `No command can be run in sandbox ${id}: ${error.message}.`;
    throw new Fault("not_offered", { detail });
  } finally {
    endHold(store, id, hold);
    await store.write(noteCommandEnd, id, hold, clock.now()).catch(unlessUnavailable);
    endHold(store, id, hold);
  }
}

/** The commands that this process runs, by sandbox. One that ends before a later one leaves its limit to none, so that the last leaves none behind. */
const running = new WeakMap<Store, Map<string, Set<CommandHold>>>();

function beginHold(store: Store, sandboxId: string, hold: CommandHold): void {
  const sandboxes = running.get(store) ?? new Map<string, Set<CommandHold>>();
  running.set(store, sandboxes);
  sandboxes.set(sandboxId, (sandboxes.get(sandboxId) ?? new Set()).add(hold));
}

/** May be called again, for a command that began meanwhile. */
function endHold(store: Store, sandboxId: string, hold: CommandHold): void {
  const sandboxes = running.get(store);
  const holds = sandboxes?.get(sandboxId);
  if (!holds) return;
  holds.delete(hold);
  for (const later of holds) if (later.before === hold.until) later.before = hold.before;
  if (holds.size === 0) sandboxes!.delete(sandboxId);
}

/** The command has run: a client that got no result would run it again. Without the record its limit keeps the sandbox in use. */
function unlessUnavailable(error: unknown): void {
  if (!isStoreUnavailable(error)) throw error;
}

async function resultOf(
  execution: Execution,
  clock: Clock,
  limitMs: number,
  signal: AbortSignal,
): Promise<Omit<ExecResult, "durationMs">> {
  let timedOut = false;
  const end = () => void execution.end().catch(() => {});
  const cancel = clock.after(limitMs, () => {
    timedOut = true;
    end();
  });
  signal.addEventListener("abort", end, { once: true });
  if (signal.aborted) end();
  try {
    execution.endInput();
    const output = await collect(execution);
    // The exit code of a command that was ended can be unknown.
    const isEnded = timedOut || signal.aborted;
    const exitCode = isEnded ? null : await execution.exitCode();
    return { ...output, exitCode, error: errorOf(exitCode, timedOut, limitMs) };
  } finally {
    cancel();
    signal.removeEventListener("abort", end);
  }
}

function errorOf(exitCode: number | null, timedOut: boolean, limitMs: number): string | null {
  if (timedOut) return `the command was ended after ${limitMs / 1_000} seconds`;
  if (exitCode === 0) return null;
  return exitCode === null ? "the command ended without an exit code" : `exit status ${exitCode}`;
}

async function collect({ output }: Execution) {
  const pieces: { output: "stdout" | "stderr"; bytes: Buffer }[] = [];
  let room = MAX_OUTPUT_BYTES;
  let truncated = false;
  for await (const { output: of, bytes } of output) {
    if (bytes.length > room) truncated = true;
    if (room === 0) continue;
    pieces.push({ output: of, bytes: bytes.subarray(0, room) });
    room -= Math.min(room, bytes.length);
  }
  const textOf = (of: "stdout" | "stderr" | null) =>
    Buffer.concat(
      pieces.filter((each) => of === null || each.output === of).map(({ bytes }) => bytes),
    ).toString();
  return { output: textOf(null), stdout: textOf("stdout"), stderr: textOf("stderr"), truncated };
}
