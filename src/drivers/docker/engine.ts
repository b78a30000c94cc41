// The client of a container engine: Docker, or Podman with the same API. It distinguishes an engine
// that does not respond, a missing object, and a refusal.

import type { Duplex, Readable } from "node:stream";
import Dockerode from "dockerode";
import { type Clock, Deadline, LATE, within } from "../../base/clock.ts";
import { Agent } from "../../base/node/http.ts";
import { MINUTE_MS } from "../../base/units.ts";
import { DriverUnavailable } from "../driver.ts";
import { type EngineAddress, socketOf } from "./engine-address.ts";
import { EngineWatch } from "./engine-watch.ts";

export type EngineKind = "docker" | "podman";

/** What a healthy engine answers at once takes at most this long. */
const ANSWER_MS = 20_000;
/**
 * The limit while an engine is silent, so that loops go on with what other drivers run. Any answer ends it. Pings keep
 * their own limit, and so does a call whose limit is longer than ANSWER_MS.
 */
const SILENT_MS = 2_000;
/** What takes long on a busy machine, such as a container's creation or the removal of a large volume. */
export const WORK_MS = 10 * MINUTE_MS;

const NO_RESPONSE = "no response in time";

/** What it asked is aborted once the call has failed, so that no connection to a silent engine is left open. */
type Request<T> = (docker: Dockerode) => Promise<T>;

export class Engine {
  readonly host: string;
  readonly #docker: Dockerode;
  readonly #clock: Clock;
  readonly #watch: EngineWatch;
  #kind: Promise<EngineKind> | null = null;
  /** Whether it has answered nothing since a ping that was too late. One late call may only wait for a lock of its own. */
  #isSilent = false;

  /** Opens no connection yet. Throws a TypeError for an invalid address. */
  constructor(address: EngineAddress, clock: Clock) {
    this.#docker = new Dockerode(optionsOf(address));
    this.host = address.host;
    this.#clock = clock;
    this.#watch = new EngineWatch(clock, () => this.problem(ANSWER_MS));
  }

  /** A request that a healthy engine answers at once. Rejects with DriverUnavailable if it does not. */
  callWithin<T>(request: Request<T>, withinMs = ANSWER_MS): Promise<T> {
    const isShort = this.#isSilent && withinMs <= ANSWER_MS;
    const limitMs = isShort ? Math.min(withinMs, SILENT_MS) : withinMs;
    return this.#limit(request, limitMs, () => this.#unavailable(new Error(NO_RESPONSE)));
  }

  async #limit<T>(request: Request<T>, withinMs: number, lateError: () => Error): Promise<T> {
    try {
      const answer = await within(new Deadline(this.#clock, withinMs), (signal) => {
        const docker = abortable(this.#docker, signal);
        return untilInterfacesHold(() => request(docker));
      });
      if (answer === LATE) throw lateError();
      this.#isSilent = false;
      return answer;
    } catch (error) {
      if (statusOf(error) !== null) this.#isSilent = false;
      throw this.#errorOf(error);
    }
  }

  /**
   * A request that may take long. Rejects with DriverUnavailable once the engine answers no ping, and with another
   * error if it answers them and the request takes longer than `withinMs`.
   */
  async callWhileAlive<T>(request: Request<T>, withinMs = WORK_MS): Promise<T> {
    let leave = () => {};
    const lost = new Promise<never>((_, reject) => {
      leave = this.#watch.add(reject);
    });
    try {
      return await this.#limit(
        (docker) => Promise.race([request(docker), lost]),
        withinMs,
        () =>
          new Error(
            `the container engine answers, and did not finish in ${Math.ceil(withinMs / 1_000)} s`,
          ),
      );
    } finally {
      leave();
    }
  }

  /** Destroys a stream of the engine once it does not answer pings; a quiet stream has no other sign of it. */
  guard<S extends Readable>(stream: S): S {
    const leave = this.#watch.add((error) => stream.destroy(error));
    stream.once("close", leave);
    if (stream.destroyed) leave();
    return stream;
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
  async problem(withinMs = 3_000): Promise<Error | null> {
    const lateError = () => {
      if (withinMs >= ANSWER_MS) this.#isSilent = true;
      return this.#unavailable(new Error(NO_RESPONSE));
    };
    return this.#limit((docker) => docker.ping(), withinMs, lateError).then(
      () => null,
      (error: Error) => error,
    );
  }

  async isReachable(): Promise<boolean> {
    return (await this.problem()) === null;
  }

  #errorOf(error: unknown): unknown {
    if (statusOf(error) !== null || !isConnectionLost(error)) return error;
    return this.#unavailable(error as NodeJS.ErrnoException);
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

/** Podman (4.3.1) lists the machine's interfaces while it starts a container, and answers 500 with this if one goes meanwhile. */
const INTERFACE_GONE = "no such network interface";
const MAX_TRIES = 4;

/** Asks again if an interface of another container has gone meanwhile. */
async function untilInterfacesHold<T>(request: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await request();
    } catch (error) {
      const { json } = error as { json?: { cause?: unknown } };
      if (json?.cause !== INTERFACE_GONE || tries === MAX_TRIES) throw error;
    }
  }
}

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
  "ECONNREFUSED",
  "ECONNRESET",
  "ENOENT",
  "EPIPE",
  "EACCES",
  "EPERM",
  "ETIMEDOUT",
  "ENOTFOUND",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "EAI_AGAIN",
  "ECONNABORTED",
]);

function isConnectionLost(error: unknown): boolean {
  const { code, message } = error as NodeJS.ErrnoException;
  return CONNECTION_ERRORS.has(code ?? "") || /socket hang up|aborted/.test(message ?? "");
}

/** The client with a signal that aborts each of its requests. */
function abortable(docker: Dockerode, signal: AbortSignal): Dockerode {
  const modem = Object.create(docker.modem);
  modem.dial = (...[options, callback]: Parameters<typeof docker.modem.dial>) => {
    const { abortSignal: own } = options as { abortSignal?: AbortSignal };
    const abortSignal = own ? AbortSignal.any([own, signal]) : signal;
    const abortableOptions = { ...options, abortSignal };
    return docker.modem.dial.call(modem, abortableOptions, callback);
  };
  return new Dockerode({ modem } as Dockerode.DockerOptions); // its types lack `modem`
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
