// The time that a connection of plain http has for its next request. Node's server times the connections of a port that
// it listens on itself, and no others.

import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Clock } from "../../../base/clock.ts";

const REQUEST_MS = 60_000;

export class RequestDeadlines {
  readonly #clock: Clock;
  readonly #deadlines = new WeakMap<Socket, RequestDeadline>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  watch(socket: Socket): void {
    this.#deadlines.set(socket, new RequestDeadline(this.#clock, socket));
  }

  /** The next request has as much time from the answer on. */
  suspend({ socket }: IncomingMessage, response: ServerResponse): void {
    const deadline = this.#deadlines.get(socket);
    deadline?.suspend();
    response.once("close", () => deadline?.resume());
  }

  /** The connection is no longer http. */
  end({ socket }: IncomingMessage): void {
    this.#deadlines.get(socket)?.suspend();
  }
}

class RequestDeadline {
  readonly #clock: Clock;
  readonly #socket: Socket;
  /** Several if the client does not wait for answers. */
  #requests = 0;
  #cancel = () => {};

  constructor(clock: Clock, socket: Socket) {
    this.#clock = clock;
    this.#socket = socket;
    this.#start();
    socket.once("close", () => this.#cancel());
  }

  suspend(): void {
    this.#requests++;
    this.#cancel();
  }

  resume(): void {
    this.#requests--;
    if (this.#requests === 0 && !this.#socket.destroyed) this.#start();
  }

  #start(): void {
    this.#cancel = this.#clock.after(REQUEST_MS, () => this.#socket.destroy());
  }
}
