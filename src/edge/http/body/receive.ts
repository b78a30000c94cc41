// Receiving request bodies: within the limit of the route, and only while there is room in memory. A
// client without room is refused; a worker waits, because its result exists nowhere else.

import type { RouteHandlerMethod } from "fastify";
import type { Clock } from "../../../base/clock.ts";
import { MIB } from "../../../base/units.ts";
import { Fault } from "../../../domain/fault.ts";
import { limits } from "../../../domain/protocol.ts";
import type { BodyRoom, HeldBytes } from "../request/body-room.ts";
import type { RouteRequest } from "../request/route.ts";
import { refusedType } from "./media-type.ts";

/** The room for bodies: of clients, and of workers, whose results never wait behind clients' bodies. */
export interface BodyRooms {
  clock: Clock;
  clients: BodyRoom;
  workers: BodyRoom;
  /** How long a worker's body waits for room. */
  waitMs: number;
}

/** Reads one body. Its methods may throw. */
export interface BodyReader<Body> {
  feed(chunk: Buffer): void;
  end(): Body;
}

/** What a body comes from: a stream of Node's, or a plain request. */
export interface BodySource {
  on(event: "data", listener: (chunk: Buffer) => void): unknown;
  on(event: "end" | "error", listener: () => void): unknown;
  pause(): unknown;
  resume(): unknown;
}

/** A body whose memory can be freed while something still refers to it. */
interface DroppableBody {
  drop?(): void;
}

/** A body over its route's limit: read to its end and discarded, but its size is known. */
export interface TooLarge {
  tooLarge: number;
}

declare module "fastify" {
  interface FastifyContextConfig {
    bodyBytes?: number;
  }
  interface FastifyRequest {
    /** The room of its body; null for a small or a dropped one. */
    heldBytes: HeldBytes | null;
    /** Whether its handler has begun. */
    isHandled: boolean;
  }
}

/** A larger body is rejected before its end. */
const MAX_DISCARDED_BYTES = 128 * MIB;

/** Smaller bodies are not counted; they are no larger than what a connection buffers anyway. */
const COUNTED_FROM_BYTES = 16 * 1024;

/** After this many bytes, reading a body yields to other requests. */
const BYTES_PER_SLICE = 256 * 1024;

/** The largest body that the request may have. */
function bodyLimit({ principal, routeOptions }: RouteRequest): number {
  if (principal === null) return limits.keylessBodyBytes;
  return routeOptions.config.bodyBytes ?? limits.bodyBytes;
}

export function tooLarge(request: RouteRequest): Fault {
  return new Fault("payload_too_large", { limit: bodyLimit(request) });
}

/** Calls `done` with the body, with undefined if it is empty, or with a fault. */
export function receiveBody<Body>(
  request: RouteRequest,
  payload: BodySource,
  { rooms, reader }: { rooms: BodyRooms; reader: BodyReader<Body> },
  done: (error: Error | null, body?: Body | TooLarge) => void,
): void {
  const refusal = refusedType(request.headers);
  if (refusal) return void done(refusal);
  const announced = Number(request.headers["content-length"] ?? Number.NaN);
  if (announced > MAX_DISCARDED_BYTES) return void done(tooLarge(request));
  const limit = bodyLimit(request);
  const isCounted = Math.min(announced || limit, limit) > COUNTED_FROM_BYTES;
  request.heldBytes = isCounted ? hold(request, rooms) : null;
  new Reception(request, payload, announced > limit ? null : reader, rooms, done).begin(limit);
}

/** The room is given back at the end of the handler, or with the connection if none has begun. */
function hold(request: RouteRequest, rooms: BodyRooms): HeldBytes {
  const admitted = admit(request, rooms);
  const { socket } = request.raw;
  const close = () => {
    if (!request.isHandled) dropBody(request);
  };
  socket.once("close", close);
  return {
    take: (bytes) => admitted.take(bytes),
    onRoom: (listener) => admitted.onRoom(listener),
    release() {
      socket.off("close", close);
      admitted.release();
    },
  };
}

function admit({ principal }: RouteRequest, rooms: BodyRooms): HeldBytes {
  switch (principal?.kind) {
    case "worker":
      return rooms.workers.admit(principal.worker.accountId);
    case "pod":
      return rooms.clients.admit(principal.pod.accountId);
    default:
      return rooms.clients.admit(principal?.key.accountId ?? "");
  }
}

class Reception<Body> {
  readonly #request: RouteRequest;
  readonly #payload: BodySource;
  readonly #rooms: BodyRooms;
  readonly #done: (error: Error | null, body?: Body | TooLarge) => void;
  /** Null once the body is discarded. */
  #reader: BodyReader<Body> | null;
  #fault: Error | null = null;
  #bytes = 0;
  #sliceEnd = BYTES_PER_SLICE;
  #stopWaiting: (() => void) | null = null;
  #isOver = false;

  constructor(
    request: RouteRequest,
    payload: BodySource,
    reader: BodyReader<Body> | null,
    rooms: BodyRooms,
    done: (error: Error | null, body?: Body | TooLarge) => void,
  ) {
    this.#request = request;
    this.#payload = payload;
    this.#reader = reader;
    this.#rooms = rooms;
    this.#done = done;
  }

  begin(limit: number): void {
    const payload = this.#payload;
    payload.on("data", (chunk: Buffer) => this.#receive(chunk, limit));
    payload.on("end", () => this.#end(limit));
    // The client disconnected or sent invalid chunks.
    payload.on("error", () =>
      this.#settle(new Fault("invalid_http", { detail: "its body is incomplete" })),
    );
  }

  #receive(chunk: Buffer, limit: number): void {
    this.#bytes += chunk.length;
    if (this.#bytes > limit) this.#discard();
    if (this.#bytes > MAX_DISCARDED_BYTES) this.#settle(tooLarge(this.#request));
    if (!this.#reader) return;
    if (!this.#hasRoom(chunk)) return void this.#awaitRoom(chunk);
    this.#feed(chunk);
    if (this.#bytes < this.#sliceEnd) return;
    this.#sliceEnd = this.#bytes + BYTES_PER_SLICE;
    this.#payload.pause();
    setImmediate(() => this.#payload.resume());
  }

  #hasRoom({ length }: Buffer): boolean {
    return this.#request.heldBytes?.take(length) ?? true;
  }

  #feed(chunk: Buffer): void {
    try {
      this.#reader?.feed(chunk);
    } catch (error) {
      this.#fault = error as Error;
      this.#discard();
    }
  }

  /** A worker's body stops until there is room; a client's is refused. */
  #awaitRoom(chunk: Buffer): void {
    if (this.#request.principal?.kind !== "worker") return void this.#refuse();
    this.#payload.pause();
    this.#stopWaiting ??= this.#rooms.clock.after(this.#rooms.waitMs, () => this.#refuse());
    this.#request.heldBytes?.onRoom(() => {
      if (!this.#hasRoom(chunk)) return void this.#awaitRoom(chunk);
      this.#stopWaiting?.();
      this.#stopWaiting = null;
      this.#feed(chunk);
      this.#payload.resume();
    });
  }

  #refuse(): void {
    this.#payload.resume();
    this.#settle(new Fault("too_busy"));
  }

  #discard(): void {
    this.#reader = null;
    dropBody(this.#request);
  }

  #end(limit: number): void {
    // A client can send a content type without a body.
    if (this.#bytes === 0) return void this.#settle(null);
    if (this.#bytes > limit) return void this.#settle(null, { tooLarge: this.#bytes });
    if (!this.#reader) return void this.#settle(this.#fault);
    try {
      this.#settle(null, this.#reader.end());
    } catch (error) {
      this.#settle(error as Error);
    }
  }

  #settle(error: Error | null, body?: Body | TooLarge): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#stopWaiting?.();
    this.#reader = null;
    if (error) dropBody(this.#request);
    this.#done(error, body);
  }
}

/** Drops the body once the handler has ended; most bodies are too small to be counted. */
export function droppingBody(handler: RouteHandlerMethod): RouteHandlerMethod {
  return function (request, reply) {
    request.isHandled = true;
    const result: unknown = handler.call(this, request, reply);
    if (request.heldBytes === null) return result;
    return Promise.resolve(result).finally(() => dropBody(request));
  };
}

/** Frees the memory of the request's body. What was stored of it remains. */
export function dropBody(request: RouteRequest): void {
  const { heldBytes } = request;
  if (heldBytes === null) return;
  request.heldBytes = null;
  (request.body as DroppableBody | undefined)?.drop?.();
  request.body = undefined;
  heldBytes.release();
}
