// The container engine behind a socket: Docker's, or Podman's that speaks the same language. Its
// errors are told apart here: it does not answer, it has no such thing, or it says no.

import { Agent } from "node:http";
import type { Duplex } from "node:stream";
import Dockerode from "dockerode";
import { type Clock, pause } from "../../base/clock.ts";
import { DriverAway } from "../driver.ts";
import { type EngineAddress, socketOf } from "./address.ts";

export class Engine {
  readonly docker: Dockerode;
  readonly host: string;
  readonly #clock: Clock;

  /** Opens nothing yet. Throws a TypeError where the address is none. */
  constructor(address: EngineAddress, clock: Clock) {
    this.docker = new Dockerode(optionsOf(address));
    this.host = address.host;
    this.#clock = clock;
  }

  /** Asks it something; rejects with DriverAway where it does not answer. */
  async ask<T>(question: (docker: Dockerode) => Promise<T>): Promise<T> {
    try {
      return await question(this.docker);
    } catch (error) {
      if (statusOf(error) !== null || !isConnectionLost(error)) throw error;
      throw this.#away((error as NodeJS.ErrnoException).code ?? (error as Error).message);
    }
  }

  /** The same for what is answered at once by an engine that is well: a stuck one is as good as away. */
  async askSoon<T>(question: (docker: Dockerode) => Promise<T>, withinMs = 20_000): Promise<T> {
    const over = new AbortController();
    const tooLate = pause(this.#clock, withinMs, over.signal).then(() => {
      if (!over.signal.aborted) throw this.#away(`no answer within ${withinMs / 1_000} s`);
      return null as never;
    });
    try {
      return await Promise.race([this.ask(question), tooLate]);
    } finally {
      over.abort();
    }
  }

  async answers(): Promise<boolean> {
    return this.askSoon((docker) => docker.ping(), 3_000).then(
      () => true,
      () => false,
    );
  }

  #away(why: string): DriverAway {
    return new DriverAway(`The container engine at ${this.host} does not answer: ${why}.`);
  }
}

/** The HTTP status of the engine's own answer; null for any other error. */
export function statusOf(error: unknown): number | null {
  const status = (error as { statusCode?: unknown } | null)?.statusCode;
  return typeof status === "number" ? status : null;
}

/** What the engine said, without the HTTP around it. */
export function wordsOf(error: unknown): string {
  const { json, message } = error as { json?: { message?: string } | null; message?: string };
  return json?.message ?? message ?? String(error);
}

/** Null where it has no such thing. */
export async function unlessMissing<T>(answer: Promise<T>): Promise<T | null> {
  return answer.catch((error) => {
    if (statusOf(error) === 404) return null;
    throw error;
  });
}

const LOST = new Set([
  ...["ECONNREFUSED", "ECONNRESET", "ENOENT", "EPIPE", "EACCES", "EPERM", "ETIMEDOUT"],
  ...["ENOTFOUND", "EHOSTUNREACH", "ENETUNREACH", "EAI_AGAIN", "ECONNABORTED"],
]);

function isConnectionLost(error: unknown): boolean {
  const { code, message } = error as NodeJS.ErrnoException;
  return LOST.has(code ?? "") || /socket hang up|aborted/.test(message ?? "");
}

/** Connections by another way than an address; the engine's answers tell when each is over. */
class OpeningAgent extends Agent {
  readonly #open: () => Promise<Duplex>;

  constructor(open: () => Promise<Duplex>) {
    super({ keepAlive: false });
    this.#open = open;
  }

  override createConnection(
    _options: unknown,
    callback?: (error: Error | null, stream: Duplex) => void,
  ): undefined {
    this.#open().then(
      (stream) => callback?.(null, stream),
      (error: Error) => callback?.(error, undefined as never),
    );
  }
}

function optionsOf(address: EngineAddress): Dockerode.DockerOptions {
  const { host, tls, open } = address;
  if (open) {
    const through = { host: "engine", port: 80, agent: new OpeningAgent(open) };
    return { protocol: "http", ...through } as Dockerode.DockerOptions; // its types know no agent
  }
  const socketPath = socketOf(address);
  if (socketPath !== null) return { socketPath };
  const { protocol, hostname, port } = new URL(host);
  if (protocol !== "tcp:") throw new TypeError(`${host} is no address of a container engine`);
  if (!tls) return { protocol: "http", host: hostname, port: port || 2375 };
  return { protocol: "https", host: hostname, port: port || 2376, ...tls };
}
