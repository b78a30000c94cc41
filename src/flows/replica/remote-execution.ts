// A command in a Pod on another replica's machine: what is spoken is the same as with a client.

import { WebSocket } from "ws";
import type { Clock } from "../../base/clock.ts";
import { Fault } from "../../domain/fault.ts";
import { controlFrame, FRAME, frameOf } from "../../domain/pod/exec-frames.ts";
import { ExecRefused } from "../../domain/pod/exec-refused.ts";
import type { Execution, ExecWish } from "../../drivers/driver.ts";
import { WHY_HEADER } from "./tunnel.ts";

export function execPath(
  { machine, id, driver }: { machine: string; id: string; driver: string },
  { command, tty }: ExecWish,
): string {
  const query = new URLSearchParams();
  for (const each of command) query.append("command", each);
  if (tty) for (const [name, size] of Object.entries(tty)) query.set(name, String(size));
  return `/replica/machines/${machine}/pods/${id}/drivers/${driver}/exec?${query}`;
}

/** What a path of `execPath` asks for. */
export function wishIn(query: URLSearchParams): ExecWish {
  const [cols, rows] = [Number(query.get("cols")), Number(query.get("rows"))];
  return { command: query.getAll("command"), tty: cols > 0 && rows > 0 ? { cols, rows } : null };
}

/** Longer than the other one's own try at its engine. */
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
    const execution = new RemoteExecution(socket);
    const fail = (error: Error) => {
      callOff();
      socket.terminate();
      reject(error);
    };
    const unreachable = () => fail(new Fault("worker_unreachable", { id }));
    const callOff = clock.after(ANSWER_MS, unreachable);
    socket.on("error", unreachable);
    socket.once("unexpected-response", (_request, { headers }) => {
      const why = headers[WHY_HEADER];
      if (typeof why === "string") fail(new ExecRefused(decodeURIComponent(why)));
      else unreachable();
    });
    socket.once("open", () => {
      callOff();
      resolve(execution);
    });
  });
}

class RemoteExecution implements Execution {
  readonly output: Execution["output"];
  readonly #socket: WebSocket;
  readonly #frames: Buffer[] = [];
  #closed = false;
  #wake: () => void = () => {};
  #exitCode: number | null | undefined;

  constructor(socket: WebSocket) {
    this.#socket = socket;
    this.output = this.#read();
    socket.on("message", (data) => {
      this.#frames.push(data as Buffer);
      socket.pause();
      this.#wake();
    });
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
    if (this.#exitCode === undefined) throw new Error("its machine's server has gone");
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

  /** One that has ended takes nothing, and says so to whoever reads it. */
  #send(frame: Buffer): Promise<void> {
    return new Promise((resolve) => {
      this.#socket.send(frame, { binary: true }, () => resolve());
    });
  }
}
