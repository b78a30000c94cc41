// A connection as long as it carries plain requests. With the first request that is anything else, Node's HTTP server
// takes it over for the rest of its life, with every byte that is not yet answered.

import type { Socket } from "node:net";
import type { Clock } from "../../../base/clock.ts";
import { guarded } from "../../../base/guarded.ts";
import { Fault } from "../../../domain/fault.ts";
import { endWithFault, handlerFault } from "../socket-fault.ts";
import type { InboundRequest, ResponseWriter } from "./exchange.ts";
import { MAX_REQUEST_BYTES, type PlainHead, PlainRequest, readPlainHead } from "./plain-request.ts";
import { PlainResponse } from "./plain-response.ts";

/** How long the rest of a body is waited for that came without it: some clients send it in a packet of its own. */
const MAX_WAIT_MS = 20;

export interface PlainConnectionOptions {
  clock: Clock;
  keepAliveS: number;
  /** Handles the request; false if it is not for the proxy or the balancer. */
  handle(request: InboundRequest, respond: () => ResponseWriter): boolean;
  /** Gives the connection to Node's server. */
  handOver(socket: Socket): void;
  onClose(connection: PlainConnection): void;
  isClosing(): boolean;
}

export class PlainConnection {
  /** Sweeps since its last request; the sweep counts them. */
  sweeps = 0;
  /** Whether it has sent nothing yet. */
  isNew = true;
  readonly #socket: Socket;
  readonly #options: PlainConnectionOptions;
  #response: PlainResponse | null = null;
  /** Bytes that are not yet part of a request. */
  #pending: Buffer | null = null;
  #cancelWait: (() => void) | null = null;

  readonly #onData = guarded(
    "a request",
    (piece: Buffer) => this.#receive(piece),
    () => this.#fail(),
  );
  readonly #onDrain = (): void => void this.#response?.drained();
  readonly #onEnd = (): void => this.#end();
  readonly #onClose = (): void => {
    this.#leave();
    this.#response?.abort();
  };
  readonly #onError = (): void => {}; // a close event follows
  readonly #onSent = guarded(
    "a request",
    () => this.#next(),
    () => this.#fail(),
  );

  constructor(socket: Socket, options: PlainConnectionOptions) {
    this.#socket = socket;
    this.#options = options;
    socket.on("error", this.#onError);
    socket.on("close", this.#onClose);
    socket.on("end", this.#onEnd);
    socket.on("drain", this.#onDrain);
    socket.on("data", this.#onData);
  }

  /** Whether it is between two requests. */
  get isIdle(): boolean {
    return this.#response === null && this.#pending === null;
  }

  close(): void {
    this.#socket.destroy();
  }

  /** Gives the connection to Node's server, with the bytes that are not answered. */
  handOver(): void {
    const socket = this.#socket;
    const bytes = this.#pending;
    this.#leave();
    socket.off("error", this.#onError);
    socket.off("close", this.#onClose);
    socket.off("end", this.#onEnd);
    socket.off("drain", this.#onDrain);
    socket.off("data", this.#onData);
    socket.pause();
    if (bytes !== null) socket.unshift(bytes);
    this.#options.handOver(socket);
    socket.resume();
  }

  #receive(piece: Buffer): void {
    if (this.#socket.writableEnded) return; // it is being closed
    const bytes = this.#pending === null ? piece : Buffer.concat([this.#pending, piece]);
    this.#pending = bytes;
    if (this.#response === null) this.#read(bytes);
    else if (bytes.length > MAX_REQUEST_BYTES) this.#socket.pause();
  }

  /** Answers the request whose handler threw, unless its answer has begun, and closes the connection. */
  #fail(): void {
    if (this.#response?.headersSent) return void this.#socket.destroy();
    endWithFault(this.#socket, handlerFault());
    this.#socket.destroySoon();
  }

  /** Reads the pending bytes. */
  #read(bytes: Buffer): void {
    const head = readPlainHead(bytes);
    if (head === null || head.bytes > MAX_REQUEST_BYTES) this.handOver();
    else if (head.bytes > bytes.length) this.#wait();
    else this.#handle(head, bytes);
  }

  #handle(head: PlainHead, bytes: Buffer): void {
    this.#stopWaiting();
    const start = head.bytes - head.bodyBytes;
    const body = head.bodyBytes === 0 ? null : bytes.subarray(start, head.bytes);
    const request = new PlainRequest(head, body, this.#socket);
    const rest = bytes.length === head.bytes ? null : bytes.subarray(head.bytes);
    if (!this.#options.handle(request, () => this.#begin(request, rest))) this.handOver();
  }

  #begin(request: PlainRequest, rest: Buffer | null): PlainResponse {
    this.#pending = rest;
    this.isNew = false;
    const { keepAliveS, isClosing } = this.#options;
    this.#response = new PlainResponse(request, { keepAliveS, isClosing, onSent: this.#onSent });
    return this.#response;
  }

  #next(): void {
    const { isLast } = this.#response!;
    this.#response = null;
    this.sweeps = 0;
    if (this.#socket.writableEnded) return;
    if (isLast || this.#options.isClosing()) return void this.#socket.destroySoon();
    const bytes = this.#pending;
    if (this.#socket.isPaused()) this.#socket.resume();
    if (bytes !== null) this.#read(bytes);
  }

  #wait(): void {
    this.#cancelWait ??= this.#options.clock.after(MAX_WAIT_MS, () => this.handOver());
  }

  #stopWaiting(): void {
    this.#cancelWait?.();
    this.#cancelWait = null;
  }

  /** The client sends nothing more, so it has gone, as for Node's server. */
  #end(): void {
    if (this.#cancelWait !== null) {
      endWithFault(this.#socket, new Fault("invalid_http", { detail: "its body is not complete" }));
    }
    this.#socket.destroySoon();
  }

  #leave(): void {
    this.#stopWaiting();
    this.#options.onClose(this);
  }
}
