// The HTTP client of a Kubernetes API server. A request either succeeds, is refused by the server (ApiError), or does
// not reach it (DriverUnavailable).

import type { Agent, IncomingMessage } from "node:http";
import { request as requestHttps, Agent as TlsAgent } from "node:https";
import type { WebSocket } from "ws";
import type { Clock } from "../../../base/clock.ts";
import { guarded } from "../../../base/guarded.ts";
import { request as requestHttp } from "../../../base/node/http.ts";
import { MIB } from "../../../base/units.ts";
import { apiErrorOf, apiServerUnavailable } from "./api-error.ts";
import type { ClusterAccess } from "./kubeconfig.ts";

export type QueryParams = Record<string, string | number | boolean | readonly string[] | undefined>;

interface Request {
  query?: QueryParams;
  body?: unknown;
  /** The type of the body; `application/json` if absent. */
  contentType?: string;
  signal?: AbortSignal;
}

/** A healthy API server answers within this time. */
const TIMEOUT_MS = 20_000;
const MAX_BODY_BYTES = 64 * MIB;
const MAX_MESSAGE_BYTES = 16 * MIB;
const KEEP_ALIVE_MS = 30_000;

export class ApiClient {
  readonly server: string;
  readonly #access: ClusterAccess;
  readonly #clock: Clock;
  readonly #agent: Agent | undefined;
  readonly #closed = new AbortController();

  /** Opens no connection yet. */
  constructor(access: ClusterAccess, clock: Clock) {
    this.server = access.server;
    this.#access = access;
    this.#clock = clock;
    const isTls = access.server.startsWith("https:");
    this.#agent = isTls ? new TlsAgent({ ...tlsOptions(access), keepAlive: true }) : undefined;
  }

  get<T>(path: string, query?: QueryParams): Promise<T> {
    return this.#json("GET", path, { query });
  }

  create<T>(path: string, body: unknown): Promise<T> {
    return this.#json("POST", path, { body });
  }

  /** Changes the fields that a JSON merge patch names. */
  patch<T>(path: string, body: unknown): Promise<T> {
    return this.#json("PATCH", path, { body, contentType: "application/merge-patch+json" });
  }

  delete<T>(path: string, body?: unknown): Promise<T> {
    return this.#json("DELETE", path, { body });
  }

  /** The response as a stream, once it has begun. The caller reads or destroys it. */
  async stream(path: string, query: QueryParams, signal: AbortSignal): Promise<IncomingMessage> {
    const response = await this.#respond("GET", path, { query, signal });
    if (response.statusCode === 200) return response;
    throw apiErrorOf(response.statusCode ?? 0, await this.#text(response));
  }

  /** A WebSocket with one of the server's channel protocols. */
  async socket(path: string, query: QueryParams, protocol: string): Promise<WebSocket> {
    const { WebSocket } = await import("ws");
    const url = this.#urlOf(path, query);
    url.protocol = url.protocol === "https:" ? "wss:" : "ws:";
    const socket = new WebSocket(url, protocol, {
      ...tlsOptions(this.#access),
      headers: authorization(this.#access),
      handshakeTimeout: TIMEOUT_MS,
      perMessageDeflate: false,
      maxPayload: MAX_MESSAGE_BYTES,
    });
    const terminate = () => socket.terminate();
    this.#closed.signal.addEventListener("abort", terminate, { once: true });
    socket.once("close", () => this.#closed.signal.removeEventListener("abort", terminate));
    // Errors after the opening are followed by `close`.
    socket.on("error", () => {});
    await new Promise<void>((resolve, reject) => {
      socket.once("open", () => {
        // The server's first messages may have come with the opening; who reads the stream resumes it.
        socket.pause();
        resolve();
      });
      socket.once("error", (error) => reject(apiServerUnavailable(this.server, error)));
      socket.once(
        "unexpected-response",
        guarded("a cluster", (_, response) => {
          const refuse = (text: string) => reject(apiErrorOf(response.statusCode ?? 0, text));
          this.#text(response).then(refuse, reject);
        }),
      );
    });
    return socket;
  }

  /** Ends all requests. */
  close(): void {
    this.#closed.abort();
    this.#agent?.destroy();
  }

  async #json<T>(method: string, path: string, request: Request): Promise<T> {
    const response = await this.#respond(method, path, request);
    const text = await this.#text(response);
    const status = response.statusCode ?? 0;
    if (status < 200 || status > 299) throw apiErrorOf(status, text);
    return JSON.parse(text) as T;
  }

  /** Resolves when the response's headers have come. */
  #respond(method: string, path: string, request: Request): Promise<IncomingMessage> {
    const { query = {}, body, contentType = "application/json", signal } = request;
    const url = this.#urlOf(path, query);
    const text = body === undefined ? null : JSON.stringify(body);
    const headers = {
      accept: "application/json",
      ...authorization(this.#access),
      ...(text !== null && {
        "content-type": contentType,
        "content-length": Buffer.byteLength(text),
      }),
    };
    const ends = [this.#closed.signal, ...(signal ? [signal] : [])];
    return new Promise((resolve, reject) => {
      const send = this.#agent ? requestHttps : requestHttp;
      const outgoing = send(url, {
        method,
        headers,
        signal: AbortSignal.any(ends),
        ...(this.#agent && { agent: this.#agent }),
      });
      const cancel = this.#clock.after(TIMEOUT_MS, () =>
        outgoing.destroy(new Error(`no response within ${TIMEOUT_MS / 1_000} s`)),
      );
      outgoing.once("socket", (socket) => socket.setKeepAlive(true, KEEP_ALIVE_MS));
      outgoing.once(
        "response",
        guarded("a cluster", (response) => {
          cancel();
          // An abort is reported to the reader; without one, nothing may throw.
          response.on("error", () => {});
          resolve(response);
        }),
      );
      outgoing.on("error", (error) => {
        cancel();
        reject(apiServerUnavailable(this.server, error));
      });
      outgoing.end(text ?? undefined);
    });
  }

  #urlOf(path: string, query: QueryParams): URL {
    const url = new URL(`${this.server}${path}`);
    for (const [key, value] of Object.entries(query)) {
      if (value === undefined) continue;
      for (const each of Array.isArray(value) ? value : [value]) {
        url.searchParams.append(key, String(each));
      }
    }
    return url;
  }

  async #text(response: IncomingMessage): Promise<string> {
    const chunks: Buffer[] = [];
    let bytes = 0;
    const cancel = this.#clock.after(TIMEOUT_MS, () =>
      response.destroy(new Error("the response stopped")),
    );
    try {
      for await (const chunk of response) {
        chunks.push(chunk as Buffer);
        bytes += (chunk as Buffer).length;
        if (bytes > MAX_BODY_BYTES) throw new Error("the response is too large");
      }
    } catch (error) {
      throw apiServerUnavailable(this.server, error);
    } finally {
      cancel();
    }
    return Buffer.concat(chunks).toString("utf8");
  }
}

/** The TLS options of a connection to the API server. */
function tlsOptions({ ca, serverName, certificate }: ClusterAccess) {
  return {
    ...(ca !== null && { ca }),
    ...(serverName !== null && { servername: serverName }),
    ...(certificate !== null && certificate),
  };
}

function authorization({ token }: ClusterAccess): { authorization?: string } {
  const current = typeof token === "function" ? token() : token;
  return current === null ? {} : { authorization: `Bearer ${current}` };
}
