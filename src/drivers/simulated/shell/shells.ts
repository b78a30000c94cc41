// The shells of simulated Pods. Commands are interpreted in a thread of their own, so that a loop in one of them
// never keeps the service waiting; the thread starts with the first command.

import { Worker } from "node:worker_threads";
import { type Clock, pause, systemClock } from "../../../base/clock.ts";
import { scriptBeside } from "../../../base/script-beside.ts";
import { MIB } from "../../../base/units.ts";
import { ExecRefused } from "../../../domain/container/exec-refused.ts";
import type { ExecRequest, Execution } from "../../driver.ts";
import { SimulatedExecution } from "./execution.ts";
import type { FromThread, SimulatedPodFacts, ToThread } from "./messages.ts";

const script = scriptBeside(import.meta.url, "thread/shell-thread");
/** The thread's own heap. Files are outside of it, with a limit for each Pod. */
const MAX_HEAP_MB = 512;
const MAX_RUNS = 1_000;
/** The output of all commands that waits for its readers. */
const MAX_UNREAD_BYTES = 128 * MIB;
const PING_MS = 5_000;
/** A thread is ended that leaves this many pings without an answer. */
const MAX_MISSED_PINGS = 4;
const SILENT = `the simulated shells did not answer for ${(MAX_MISSED_PINGS * PING_MS) / 1_000} seconds and were restarted`;

interface Run {
  pod: string;
  execution: SimulatedExecution;
}

export class SimulatedShells {
  readonly #clock: Clock;
  /** The pings wait for a thread of this machine, under every clock. */
  readonly #pingClock: Clock;
  readonly #runs = new Map<number, Run>();
  readonly #closing = new AbortController();
  #lastRun = 0;
  #unreadBytes = 0;
  #thread: Worker | null = null;
  #missedPings = 0;
  #cancelPing: (() => void) | null = null;

  constructor(clock: Clock, pingClock: Clock = systemClock) {
    this.#clock = clock;
    this.#pingClock = pingClock;
  }

  /** Throws ExecRefused if too many commands run. */
  exec(pod: SimulatedPodFacts, request: ExecRequest): Execution {
    if (this.#runs.size >= MAX_RUNS) {
      throw new ExecRefused(`${MAX_RUNS} commands run in simulated Pods, which is the limit`);
    }
    const run = ++this.#lastRun;
    const execution = new SimulatedExecution({
      write: (bytes) => this.#send({ kind: "input", run, bytes }),
      endInput: () => this.#send({ kind: "endInput", run }),
      resize: (cols) => this.#send({ kind: "resize", run, cols }),
      release: (bytes) => {
        this.#unreadBytes -= bytes;
        this.#send({ kind: "read", run, bytes });
      },
      end: () => {
        this.#send({ kind: "end", run });
        this.#remove(run);
      },
    });
    this.#runs.set(run, { pod: pod.id, execution });
    this.#thread ??= this.#start();
    this.#thread.ref();
    this.#send({ kind: "start", run, pod, request });
    this.#cancelPing ??= this.#pingLater();
    return execution;
  }

  /** Ends the Pod's commands and drops its files, except those of its volumes. */
  forget(pod: string): void {
    for (const each of [...this.#runs.values()]) if (each.pod === pod) void each.execution.end();
    this.#send({ kind: "forget", pod });
  }

  async close(): Promise<void> {
    this.#closing.abort();
    this.#stopPings();
    for (const { execution } of this.#runs.values()) execution.finish(null);
    this.#runs.clear();
    await this.#thread?.terminate();
    this.#thread = null;
  }

  #send(message: ToThread): void {
    this.#thread?.postMessage(message);
  }

  #remove(run: number): void {
    this.#runs.delete(run);
    if (this.#runs.size > 0) return;
    this.#stopPings();
    // An idle thread does not keep the process.
    this.#thread?.unref();
  }

  #start(): Worker {
    const resourceLimits = { maxOldGenerationSizeMb: MAX_HEAP_MB };
    // Not the service's environment, which holds its secrets.
    const thread = new Worker(script, { env: {}, resourceLimits });
    thread.on("message", (message: FromThread) => this.#receive(thread, message));
    const lose = () => {
      if (this.#thread === thread) this.#lose("Killed");
    };
    thread.on("error", lose);
    thread.on("exit", lose);
    return thread;
  }

  /** Ends what ran in the thread. The next command starts another one. */
  #lose(sentence: string): void {
    this.#thread = null;
    this.#stopPings();
    for (const { execution } of this.#runs.values()) this.#refuse(execution, sentence, 137);
    this.#runs.clear();
  }

  #refuse(execution: SimulatedExecution, sentence: string, exitCode: number): void {
    const bytes = Buffer.from(`${sentence}\n`);
    this.#unreadBytes += bytes.length;
    execution.push({ output: "stderr", bytes });
    execution.finish(exitCode);
  }

  #receive(thread: Worker, message: FromThread): void {
    if (message.kind === "pong") {
      if (thread === this.#thread) this.#missedPings = 0;
      return;
    }
    const { run } = message;
    const execution = this.#runs.get(run)?.execution;
    if (message.kind === "output") {
      if (execution) this.#pass(run, execution, message.output, Buffer.from(message.bytes));
    } else if (message.kind === "taken") execution?.take();
    else if (message.kind === "exit") {
      execution?.finish(message.exitCode);
      this.#remove(run);
    } else {
      const { reply, ms } = message;
      const slept = () => thread.postMessage({ kind: "slept", reply } satisfies ToThread);
      void pause(this.#clock, ms, this.#closing.signal).then(slept);
    }
  }

  #pass(
    run: number,
    execution: SimulatedExecution,
    output: "stdout" | "stderr",
    bytes: Buffer,
  ): void {
    if (this.#unreadBytes + bytes.length <= MAX_UNREAD_BYTES) {
      this.#unreadBytes += bytes.length;
      execution.push({ output, bytes });
      return;
    }
    this.#send({ kind: "end", run });
    const sentence = `more than ${MAX_UNREAD_BYTES / MIB} MB of output of simulated Pods waits to be read`;
    this.#refuse(execution, `bash: ${sentence}`, 1);
    this.#remove(run);
  }

  /** Counts pings, not time: when the service itself was held up, the thread has not missed more of them. */
  #pingLater(): () => void {
    return this.#pingClock.after(PING_MS, () => {
      this.#cancelPing = null;
      if (this.#missedPings >= MAX_MISSED_PINGS) {
        const thread = this.#thread;
        this.#lose(SILENT);
        void thread?.terminate();
        return;
      }
      this.#missedPings++;
      this.#send({ kind: "ping" });
      this.#cancelPing = this.#pingLater();
    });
  }

  #stopPings(): void {
    this.#cancelPing?.();
    this.#cancelPing = null;
    this.#missedPings = 0;
  }
}
