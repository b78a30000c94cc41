// The listener threads of the service. Each listens at the same addresses; the kernel gives a new connection to one of them.

import type { AddressInfo } from "node:net";
import { Worker } from "node:worker_threads";
import { pause, systemClock, yieldToEventLoop } from "../../../base/clock.ts";
import { scriptBeside } from "../../../base/script-beside.ts";
import { type FrameKind, FrameWriter, frame, readFrames } from "./frames.ts";
import type { ListenerCommand, ListenerReply, OpenedConnection } from "./protocol.ts";
import { type ListenAt, requireFree } from "./require-free.ts";
import { ThreadSocket } from "./thread-socket.ts";

type Accept = (socket: ThreadSocket) => void;

/** How long a client has for the rest of what was sent to it. */
const MAX_FINISH_MS = 1_000;
/** The number of no listener. */
const FINISH = 0;

const script = scriptBeside(import.meta.url, "listener-thread");

export class ListenerThreads {
  readonly #count: number;
  readonly #accepts = new Map<number, Accept>();
  #threads: ListenerThread[] = [];
  #lastListener = 0;

  /** The threads start with the first listener. */
  constructor(count: number) {
    this.#count = count;
  }

  /** Resolves to the address, and to the listener's number for `stop`. Rejects with a system error. */
  async listen(at: ListenAt, accept: Accept): Promise<{ listener: number; address: AddressInfo }> {
    while (this.#threads.length < this.#count)
      this.#threads.push(new ListenerThread((listener) => this.#accepts.get(listener)));
    const listener = ++this.#lastListener;
    this.#accepts.set(listener, accept);
    const [first, ...others] = this.#threads;
    // Several threads share a port by an option with which another process of this user could share it too.
    const reusePort = others.length > 0;
    try {
      if (reusePort && at.port !== 0) await requireFree(at);
      const address = await first!.listen(listener, { ...at, reusePort });
      const same = { host: at.host, port: address.port, reusePort };
      await Promise.all(others.map((each) => each.listen(listener, same)));
      return { listener, address };
    } catch (error) {
      this.#accepts.delete(listener);
      if (this.#accepts.size === 0) await this.close();
      throw error;
    }
  }

  /** Accepts no more connections; those that are open stay so. */
  async stop(listener: number): Promise<void> {
    await Promise.all(this.#threads.map((each) => each.stop(listener)));
  }

  /** Ends the threads, once what was written to their connections is sent. */
  async close(): Promise<void> {
    const ended = this.#threads.map((each) => each.end());
    this.#threads = [];
    await Promise.all(ended);
  }
}

class ListenerThread {
  readonly #worker = new Worker(script);
  /** The answers of a commit leave together: their promises settle before the next tick. */
  readonly #frames = new FrameWriter(
    (message) => this.#worker.postMessage(message, [message]),
    process.nextTick,
  );
  readonly #sockets = new Map<number, ThreadSocket>();
  readonly #acceptOf: (listener: number) => Accept | undefined;
  readonly #waiting = new Map<number, PromiseWithResolvers<ListenerReply>>();

  readonly #receive = (id: number, kind: FrameKind, bytes: Buffer): void => {
    if (kind === frame.opened) this.#open(id, JSON.parse(bytes.toString()) as OpenedConnection);
    else this.#sockets.get(id)?.receive(kind, bytes);
  };

  constructor(acceptOf: (listener: number) => Accept | undefined) {
    this.#acceptOf = acceptOf;
    this.#worker.on("message", (message: ArrayBuffer | ListenerReply) => {
      if (message instanceof ArrayBuffer) readFrames(message, this.#receive);
      else this.#waiting.get(message.listener)?.resolve(message);
    });
  }

  async listen(listener: number, at: ListenAt & { reusePort: boolean }): Promise<AddressInfo> {
    const reply = await this.#ask(listener, { listen: listener, ...at });
    if ("address" in reply) return reply.address;
    throw Object.assign(new Error("error" in reply ? reply.error.message : "it stopped"), {
      code: "error" in reply ? reply.error.code : undefined,
    });
  }

  async stop(listener: number): Promise<void> {
    await this.#ask(listener, { stop: listener });
  }

  /** All its connections have been closed here. */
  async end(): Promise<void> {
    await yieldToEventLoop(); // the last frames are posted
    const finished = this.#ask(FINISH, { finish: FINISH });
    await Promise.race([finished, pause(systemClock, MAX_FINISH_MS)]);
    await this.#worker.terminate();
  }

  #ask(listener: number, command: ListenerCommand): Promise<ListenerReply> {
    const answer = Promise.withResolvers<ListenerReply>();
    this.#waiting.set(listener, answer);
    this.#worker.postMessage(command);
    return answer.promise;
  }

  #open(id: number, connection: OpenedConnection): void {
    const socket = new ThreadSocket(id, connection, this.#frames);
    this.#sockets.set(id, socket);
    socket.once("close", () => this.#sockets.delete(id));
    this.#acceptOf(connection.listener)?.(socket);
  }
}
