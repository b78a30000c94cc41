// A command in a Pod on another replica's machine, over the same protocol that clients use.

import { WebSocket } from "ws";
import type { Clock } from "../../base/clock.ts";
import { guarded } from "../../base/guarded.ts";
import { controlFrame, FRAME, frameOf } from "../../domain/container/exec-frames.ts";
import { ExecRefused } from "../../domain/container/exec-refused.ts";
import { Fault } from "../../domain/fault.ts";
import type { ExecRequest, Execution } from "../../drivers/driver.ts";
import { WHY_HEADER } from "./tunnel.ts";

export function execPath(
  { machine, id, driver }: { machine: string; id: string; driver: string },
  { command, tty }: ExecRequest,
): string {
  const query = new URLSearchParams();
  for (const each of command) query.append("command", each);
  if (tty) for (const [name, size] of Object.entries(tty)) query.set(name, String(size));
  return `/replica/machines/${machine}/pods/${id}/drivers/${driver}/exec?${query}`;
}

/** The request in the query of an `execPath`. */
export function requestIn(query: URLSearchParams): ExecRequest {
  const [cols, rows] = [Number(query.get("cols")), Number(query.get("rows"))];
  return { command: query.getAll("command"), tty: cols > 0 && rows > 0 ? { cols, rows } : null };
}

/** Longer than the other replica's own timeout. */
const ANSWER_MS = 25_000;

/** Rejects with ExecRefused, or with the fault `worker_unreachable`. */
export function openExecution(
  url: string,
  pass: string,
  clock: Clock,
  id: string,
): Promise<Execution> {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(url.replace(/^http/, "ws"), {
      headers: { authorization: pass },
      perMessageDeflate: false,
      followRedirects: false,
    });
    const execution = new RemoteExecution(socket, id);
    const fail = (error: Error) => {
      cancelTimeout();
      socket.terminate();
      reject(error);
    };
    const unreachable = () => fail(new Fault("worker_unreachable", { id }));
    const cancelTimeout = clock.after(ANSWER_MS, unreachable);
    socket.on("error", unreachable);
    socket.once(
      "unexpected-response",
      guarded("a replica", (_request, { headers }) => {
        const why = headers[WHY_HEADER];
        if (typeof why === "string") fail(new ExecRefused(decodeURIComponent(why)));
        else unreachable();
      }),
    );
    socket.once("open", () => {
      cancelTimeout();
      resolve(execution);
    });
  });
}

class RemoteExecution implements Execution {
  readonly output: Execution["output"];
  readonly #socket: WebSocket;
  readonly #id: string;
  readonly #frames: Buffer[] = [];
  #closed = false;
  #wake: () => void = () => {};
  #exitCode: number | null | undefined;

  constructor(socket: WebSocket, id: string) {
    this.#socket = socket;
    this.#id = id;
    this.output = this.#read();
    socket.on(
      "message",
      guarded("a replica", (data) => {
        this.#frames.push(data as Buffer);
        socket.pause();
        this.#wake();
      }),
    );
    socket.once("close", () => {
      this.#closed = true;
      this.#wake();
    });
  }

  write(bytes: Buffer): Promise<void> {
    return this.#send(frameOf(FRAME.input, bytes));
  }

  endInput(): void {
    void this.#send(controlFrame({ eof: true }));
  }

  resize(cols: number, rows: number): Promise<void> {
    return this.#send(controlFrame({ resize: { cols, rows } }));
  }

  async exitCode(): Promise<number | null> {
    if (this.#exitCode === undefined) throw new Fault("worker_unreachable", { id: this.#id });
    return this.#exitCode;
  }

  async end(): Promise<void> {
    this.#socket.terminate();
  }

  async *#read(): AsyncGenerator<{ output: "stdout" | "stderr"; bytes: Buffer }> {
    for (;;) {
      const frame = this.#frames.shift();
      if (frame) {
        const bytes = frame.subarray(1);
        if (frame[0] === FRAME.control) this.#exitCode = JSON.parse(bytes.toString()).exitCode;
        else yield { output: frame[0] === FRAME.stderr ? "stderr" : "stdout", bytes };
      } else if (this.#closed) {
        return;
      } else {
        const { promise, resolve } = Promise.withResolvers<void>();
        this.#wake = resolve;
        this.#socket.resume();
        await promise;
      }
    }
  }

  /** Resolves also if the socket is closed; the reader of the output notices that. */
  #send(frame: Buffer): Promise<void> {
    return new Promise((resolve) => {
      this.#socket.send(frame, { binary: true }, () => resolve());
    });
  }
}
