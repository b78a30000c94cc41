// One request to a load-balancing endpoint on its way: its worker, and the times of its answer.

import type { Duplex } from "node:stream";
import { systemTicks } from "../../base/clock.ts";
import { mayHaveArrived, type Unreached } from "../../domain/container/unreachable-port.ts";
import type { Fault } from "../../domain/fault.ts";
import type { EndedRequest } from "../../domain/serving/answer-counts.ts";
import type { Lease } from "../../flows/serving/dispatcher.ts";
import type { InboundRequest, ResponseWriter } from "../http/plain/exchange.ts";
import { READABLE_HEADERS } from "../http/request/cross-origin.ts";
import { refuse } from "../proxy/refusal.ts";

/** Null for no limit. */
export interface CallLimits {
  bodyBytes: number | null;
  responseMs: number | null;
}

export interface CallRecorder {
  record(endpointId: string, ended: EndedRequest): void;
}

const NO_LIMITS: CallLimits = { bodyBytes: null, responseMs: null };

/** Without a reason, each abort makes an error with a stack. */
const ENDED = "the call has ended";

export class Call {
  /** Null until it is known that the endpoint exists and that the client may call it. */
  endpointId: string | null = null;
  limits = NO_LIMITS;
  readonly request: InboundRequest;
  /** Whether the client is gone or has its answer. */
  isOver = false;
  readonly #until: ResponseWriter | Duplex;
  #ended: AbortController | null = null;
  #atEnd: (() => void)[] | null = null;
  readonly #recorder: CallRecorder;
  readonly #begunAt = systemTicks();
  #firstByteMs: number | null = null;
  #status: number | null = null;
  #isServed = false;
  #isRefused = false;
  #lease: Lease | null = null;

  /** `until` is the answer, or the socket of an upgrade. */
  constructor(request: InboundRequest, until: ResponseWriter | Duplex, recorder: CallRecorder) {
    this.request = request;
    this.#until = until;
    this.#recorder = recorder;
    until.on("close", () => this.#end());
  }

  /** Aborts when the call is over. Few calls need it, and it costs more than the rest of this object. */
  get signal(): AbortSignal {
    this.#ended ??= new AbortController();
    if (this.isOver) this.#ended.abort(ENDED);
    return this.#ended.signal;
  }

  /** Calls back when the call is over. */
  atEnd(callback: () => void): void {
    if (this.isOver) callback();
    else this.#atEnd = [...(this.#atEnd ?? []), callback];
  }

  /** The call's worker from now on; an earlier one did not answer. */
  take(lease: Lease): void {
    this.#lease?.release(false);
    this.#lease = lease;
    if (this.isOver) lease.release(false);
  }

  get isAnswered(): boolean {
    return this.#status !== null;
  }

  /** Closes the client's connection in the middle of the answer. */
  cut(): void {
    this.#until.destroy();
  }

  /** The worker's answer has begun. */
  answered(status: number): void {
    this.#isServed = true;
    this.#begin(status);
  }

  /** The service answers in the worker's place; false if it has. */
  refused(status: number): boolean {
    if (this.#isRefused) return false;
    this.#isRefused = true;
    this.#begin(status);
    return true;
  }

  #begin(status: number): void {
    this.#status ??= status;
    this.#firstByteMs ??= systemTicks() - this.#begunAt;
  }

  #end(): void {
    if (this.isOver) return;
    this.isOver = true;
    this.#ended?.abort(ENDED);
    for (const callback of this.#atEnd ?? []) callback();
    this.#lease?.release(this.#isServed);
    // Names of endpoints that do not exist would be series without end.
    if (this.endpointId === null) return;
    const ms = systemTicks() - this.#begunAt;
    this.#recorder.record(this.endpointId, {
      status: this.#status,
      ms,
      firstByteMs: this.#firstByteMs,
    });
  }
}

/**
 * A refusal of the balancer itself. A page of any origin can read it, as it can those of the interfaces; an answer of a worker has
 * the worker's own headers.
 */
export function refuseCall(request: InboundRequest, response: ResponseWriter, fault: Fault): void {
  refuse(request, response, fault, request.headers.origin === undefined ? {} : READABLE_HEADERS);
}

/** How often a repeatable request is sent. */
const MAX_TRIES = 3;
/** How often a worker is looked for that accepts a request's connection. */
const MAX_DIALS = 10;

/** How often a call was sent, and how often a worker did not accept its connection. */
export type Tries = { sent: number; dialed: number };

export const NO_TRIES: Tries = { sent: 0, dialed: 0 };

export const countTry = ({ sent, dialed }: Tries, why: Unreached): Tries =>
  mayHaveArrived(why) ? { sent: sent + 1, dialed } : { sent, dialed: dialed + 1 };

export const isWithinLimits = ({ sent, dialed }: Tries): boolean =>
  sent < MAX_TRIES && dialed < MAX_DIALS;
