// The client of a container engine: Docker, or Podman with the same API. It distinguishes an engine
// that does not respond, a missing object, and a refusal.

import { Agent } from "node:http";
import type { Duplex } from "node:stream";
import Dockerode from "dockerode";
import { type Clock, pause } from "../../base/clock.ts";
import { DriverUnavailable } from "../driver.ts";
import { type EngineAddress, socketOf } from "./engine-address.ts";

export type EngineKind = "docker" | "podman";

export class Engine {
  readonly docker: Dockerode;
  readonly host: string;
  readonly #clock: Clock;
  #kind: Promise<EngineKind> | null = null;

  /** Opens no connection yet. Throws a TypeError for an invalid address. */
  constructor(address: EngineAddress, clock: Clock) {
    this.docker = new Dockerode(optionsOf(address));
    this.host = address.host;
    this.#clock = clock;
  }

  /** Calls the engine; rejects with DriverUnavailable if it does not respond. */
  async call<T>(request: (docker: Dockerode) => Promise<T>): Promise<T> {
    try {
      return await request(this.docker);
    } catch (error) {
      if (statusOf(error) !== null || !isConnectionLost(error)) throw error;
      throw this.#unavailable(error as NodeJS.ErrnoException);
    }
  }

  /** The same for requests that a healthy engine answers at once: after `withinMs` it counts as unavailable. */
  async callWithin<T>(request: (docker: Dockerode) => Promise<T>, withinMs = 20_000): Promise<T> {
    const done = new AbortController();
    const timeout = pause(this.#clock, withinMs, done.signal).then(() => {
      if (!done.signal.aborted)
        throw this.#unavailable(new Error(`no response within ${withinMs / 1_000} s`));
      return null as never;
    });
    try {
      return await Promise.race([this.call(request), timeout]);
    } finally {
      done.abort();
    }
  }

  /** What answers at its address, asked once until `forgetKind`. */
  kind(): Promise<EngineKind> {
    this.#kind ??= this.#askKind().catch((error) => {
      this.#kind = null;
      throw error;
    });
    return this.#kind;
  }

  /** To be called when it connects again: another engine may have its address now. */
  forgetKind(): void {
    this.#kind = null;
  }

  async #askKind(): Promise<EngineKind> {
    const version = await this.callWithin((docker) => unlessMissing(docker.version()));
    const components = (version as { Components?: { Name: string }[] } | null)?.Components ?? [];
    return components.some(({ Name }) => /podman/i.test(Name)) ? "podman" : "docker";
  }

  /** Null if it answers. The error's cause is that of the connection. */
  async problem(): Promise<Error | null> {
    return this.callWithin((docker) => docker.ping(), 3_000).then(
      () => null,
      (error: Error) => error,
    );
  }

  async isReachable(): Promise<boolean> {
    return (await this.problem()) === null;
  }

  #unavailable(cause: NodeJS.ErrnoException): DriverUnavailable {
    const reason = hints[cause.code ?? ""] ?? cause.code ?? cause.message;
    const sentence = `The container engine at ${this.host} does not respond: ${reason}.`;
    return new DriverUnavailable(sentence, { cause });
  }
}

const RIGHTS = "this user may not open the socket; add the user to its group, often docker";

/** What an error code means here, and what to do. */
const hints: Record<string, string> = {
  ENOENT: "there is no such socket; start the engine, or correct its address",
  ECONNREFUSED: "nothing listens there; start the engine, or correct its address",
  EACCES: RIGHTS,
  EPERM: RIGHTS,
};

/** Podman answers 500 with this cause where Docker answers 409: the container is in no state for the request. */
const WRONG_STATE = "container state improper";

/** The HTTP status of the engine's own response; null for any other error. */
export function statusOf(error: unknown): number | null {
  const { statusCode, json } = (error ?? {}) as {
    statusCode?: unknown;
    json?: { cause?: unknown };
  };
  if (typeof statusCode !== "number") return null;
  return json?.cause === WRONG_STATE ? 409 : statusCode;
}

/** The engine's message, without the HTTP client's text around it. */
export function messageOf(error: unknown): string {
  const { json, message } = error as { json?: { message?: string } | null; message?: string };
  return json?.message ?? message ?? String(error);
}

/** Null if the object does not exist. */
export async function unlessMissing<T>(response: Promise<T>): Promise<T | null> {
  return response.catch((error) => {
    if (statusOf(error) === 404) return null;
    throw error;
  });
}

const CONNECTION_ERRORS = new Set([
  ...["ECONNREFUSED", "ECONNRESET", "ENOENT", "EPIPE", "EACCES", "EPERM", "ETIMEDOUT"],
  ...["ENOTFOUND", "EHOSTUNREACH", "ENETUNREACH", "EAI_AGAIN", "ECONNABORTED"],
]);

function isConnectionLost(error: unknown): boolean {
  const { code, message } = error as NodeJS.ErrnoException;
  return CONNECTION_ERRORS.has(code ?? "") || /socket hang up|aborted/.test(message ?? "");
}

/** An HTTP agent that gets its connections from a function instead of an address. */
class TunnelAgent extends Agent {
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
    const tunnel = { host: "engine", port: 80, agent: new TunnelAgent(open) };
    return { protocol: "http", ...tunnel } as Dockerode.DockerOptions; // its types lack `agent`
  }
  const socketPath = socketOf(address);
  // The client takes what is missing here from DOCKER_HOST, and a host instead of the socket.
  if (socketPath !== null) return { protocol: "http", host: undefined, socketPath };
  const { protocol, hostname, port } = new URL(host);
  if (protocol !== "tcp:") throw new TypeError(`${host} is not an address of a container engine`);
  if (!tls) return { protocol: "http", host: hostname, port: port || 2375 };
  return { protocol: "https", host: hostname, port: port || 2376, ...tls };
}
