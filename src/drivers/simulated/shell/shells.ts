// The shells of simulated Pods. Commands are interpreted in a thread of their own, so that a loop in one of them
// never keeps the service waiting; the thread starts with the first command.

import { Worker } from "node:worker_threads";
import { type Clock, pause } from "../../../base/clock.ts";
import { scriptBeside } from "../../../base/script-beside.ts";
import type { ExecRequest, Execution } from "../../driver.ts";
import { SimulatedExecution } from "./execution.ts";
import type { FromThread, PodFacts, ToThread } from "./messages.ts";

const script = scriptBeside(import.meta.url, "shell-thread");
/** The thread's own heap. Files are outside of it, with a limit for each Pod. */
const MAX_HEAP_MB = 512;

export class SimulatedShells {
  readonly #clock: Clock;
  readonly #runs = new Map<number, { pod: string; execution: SimulatedExecution }>();
  readonly #closing = new AbortController();
  #lastRun = 0;
  #thread: Worker | null = null;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  exec(pod: PodFacts, request: ExecRequest): Execution {
    const run = ++this.#lastRun;
    const execution = new SimulatedExecution({
      write: (bytes) => this.#send({ kind: "input", run, bytes }),
      endInput: () => this.#send({ kind: "endInput", run }),
      resize: (cols) => this.#send({ kind: "resize", run, cols }),
      end: () => {
        this.#send({ kind: "end", run });
        this.#remove(run);
      },
    });
    this.#runs.set(run, { pod: pod.id, execution });
    this.#thread ??= this.#start();
    this.#thread.ref();
    this.#send({ kind: "start", run, pod, request });
    return execution;
  }

  /** Ends the Pod's commands and drops its files, except those of its volumes. */
  forget(pod: string): void {
    for (const each of [...this.#runs.values()]) if (each.pod === pod) void each.execution.end();
    this.#send({ kind: "forget", pod });
  }

  async close(): Promise<void> {
    this.#closing.abort();
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
    // An idle thread does not keep the process.
    if (this.#runs.size === 0) this.#thread?.unref();
  }

  #start(): Worker {
    const resourceLimits = { maxOldGenerationSizeMb: MAX_HEAP_MB };
    // Not the service's environment, which holds its secrets.
    const thread = new Worker(script, { env: {}, resourceLimits });
    thread.on("message", (message: FromThread) => this.#receive(thread, message));
    const lose = () => {
      if (this.#thread !== thread) return;
      this.#thread = null;
      for (const { execution } of this.#runs.values()) {
        execution.push({ output: "stderr", bytes: Buffer.from("Killed\n") });
        execution.finish(137);
      }
      this.#runs.clear();
    };
    thread.on("error", lose);
    thread.on("exit", lose);
    return thread;
  }

  #receive(thread: Worker, message: FromThread): void {
    const execution = this.#runs.get(message.run)?.execution;
    if (message.kind === "output") {
      execution?.push({ output: message.output, bytes: Buffer.from(message.bytes) });
    } else if (message.kind === "exit") {
      execution?.finish(message.exitCode);
      this.#remove(message.run);
    } else {
      const { reply, ms } = message;
      const slept = () => thread.postMessage({ kind: "slept", reply } satisfies ToThread);
      void pause(this.#clock, ms, this.#closing.signal).then(slept);
    }
  }
}
