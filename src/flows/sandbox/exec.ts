// Runs a command in a sandbox to its end and returns its output.

import { type Clock, Deadline, LATE, within } from "../../base/clock.ts";
import { ExecRefused } from "../../domain/container/exec-refused.ts";
import { Fault } from "../../domain/fault.ts";
import type { Execution } from "../../drivers/driver.ts";
import type { Store } from "../../store/engine/store.ts";
import { noteCommandBegin, noteCommandEnd } from "../../transactions/sandbox/change.ts";
import { execIn } from "../pod/exec.ts";
import type { LogSources } from "../replica/log-source.ts";
import { isStoreUnavailable } from "../store-unavailable.ts";
import { throwRefusal } from "../throw-refusal.ts";

/** Clients wait for a response for 30 seconds. */
export const DEFAULT_EXEC_SECONDS = 25;

/** How long an engine may take to tell the exit code of a command that has ended. */
const EXIT_CODE_MS = 10_000;

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
  const { pod, until } = await throwRefusal(
    store.write(noteCommandBegin, { accountId, id }, clock.now(), limitMs),
  );
  try {
    const start = () => execIn(deps, pod, { command, tty: null });
    const result = await resultOf({ id, start, clock, limitMs, signal });
    return { ...result, durationMs: Math.round(clock.ticks() - startedTicks) };
  } catch (error) {
    if (!(error instanceof ExecRefused)) throw error;
    const detail = `No command can be run in sandbox ${id}: ${error.message}.`;
    throw new Fault("not_offered", { detail });
  } finally {
    await store.write(noteCommandEnd, id, until, clock.now()).catch(unlessUnavailable);
  }
}

/** The command has run: a client that got no result would run it again. Without the record its limit keeps the sandbox in use. */
function unlessUnavailable(error: unknown): void {
  if (!isStoreUnavailable(error)) throw error;
}

interface Run {
  /** The sandbox's. */
  id: string;
  start: () => Promise<Execution>;
  clock: Clock;
  limitMs: number;
  signal: AbortSignal;
}

/** The limit holds also where an engine, or the replica that asks it, does not respond any more. */
async function resultOf(run: Run): Promise<Omit<ExecResult, "durationMs">> {
  const { id, start, clock, limitMs, signal } = run;
  const deadline = new Deadline(clock, limitMs);
  const output = new CommandOutput();
  let starting: Promise<Execution> | null = null;
  const ran = await within(
    deadline,
    async () => {
      starting = start();
      const execution = await starting;
      execution.endInput();
      await output.read(execution);
      return execution;
    },
    signal,
  );
  if (ran === LATE) {
    // One that has not begun yet ends as soon as it has.
    void (starting as Promise<Execution> | null)?.then((late) => late.end()).catch(() => {});
    // The exit code of a command that was ended can be unknown.
    return { ...output.text(), exitCode: null, error: errorOf(null, !signal.aborted, limitMs) };
  }
  const exitCode = await within(new Deadline(clock, EXIT_CODE_MS), () => ran.exitCode());
  if (exitCode === LATE) throw new Fault("worker_unreachable", { id });
  return { ...output.text(), exitCode, error: errorOf(exitCode, false, limitMs) };
}

function errorOf(exitCode: number | null, timedOut: boolean, limitMs: number): string | null {
  if (timedOut) return `the command was ended after ${limitMs / 1_000} seconds`;
  if (exitCode === 0) return null;
  return exitCode === null ? "the command ended without an exit code" : `exit status ${exitCode}`;
}

/** What a command has written so far. */
class CommandOutput {
  readonly #pieces: { output: "stdout" | "stderr"; bytes: Buffer }[] = [];
  #room = MAX_OUTPUT_BYTES;
  #truncated = false;

  /** Resolves when the output has ended. */
  async read({ output }: Execution): Promise<void> {
    for await (const { output: of, bytes } of output) {
      if (bytes.length > this.#room) this.#truncated = true;
      if (this.#room === 0) continue;
      this.#pieces.push({ output: of, bytes: bytes.subarray(0, this.#room) });
      this.#room -= Math.min(this.#room, bytes.length);
    }
  }

  text(): Pick<ExecResult, "output" | "stdout" | "stderr" | "truncated"> {
    const textOf = (of: "stdout" | "stderr" | null) =>
      Buffer.concat(
        this.#pieces.filter((each) => of === null || each.output === of).map(({ bytes }) => bytes),
      ).toString();
    const [stdout, stderr] = [textOf("stdout"), textOf("stderr")];
    return { output: textOf(null), stdout, stderr, truncated: this.#truncated };
  }
}
