// The HTTP client of a worker, with keep-alive connections. It uses Node's own client instead of fetch
// because that reports when a response begins, which decides whether a stopping worker accepts a job.

import http from "node:http";
import https from "node:https";
import { version } from "../version.ts";

export interface Reply {
  status: number;
  text: string;
}

export interface Call {
  method: "GET" | "POST";
  address: string;
  body?: string;
  /** Aborts the call after this long without traffic on the connection. */
  idleMs: number;
  /** Aborts the call, unless the response has begun: it is then read to its end. */
  signal?: AbortSignal;
}

export class Http {
  readonly #plain = new http.Agent({ keepAlive: true });
  readonly #secure = new https.Agent({ keepAlive: true });
  readonly #headers: Record<string, string>;
  #introduction: (() => Record<string, string>) | null;

  /**
   * `key` is sent in the Authorization header unchanged, without a scheme. The headers of `introduction` are sent
   * until a call succeeds.
   */
  constructor(key: string | undefined, introduction: (() => Record<string, string>) | null = null) {
    this.#introduction = introduction;
    this.#headers = { "User-Agent": `freehold-worker/${version}`, Accept: "application/json" };
    if (key) this.#headers.Authorization = key;
  }

  /** Resolves for every status; rejects without a complete response. */
  call({ method, address, body, idleMs, signal }: Call): Promise<Reply> {
    return new Promise((resolve, reject) => {
      const request = this.#open(method, address, body !== undefined);
      const abort = () => request.destroy(new Error("aborted"));
      request.setTimeout(idleMs, () => request.destroy(new Error(`silent for ${idleMs} ms`)));
      request.on("response", (response) => {
        signal?.removeEventListener("abort", abort);
        if ((response.statusCode ?? 500) < 300) this.#introduction = null;
        const parts: Buffer[] = [];
        response.on("data", (part) => parts.push(part));
        response.on("end", () => {
          resolve({ status: response.statusCode ?? 0, text: Buffer.concat(parts).toString() });
        });
        response.on("error", reject);
      });
      request.on("error", reject);
      request.on("close", () => signal?.removeEventListener("abort", abort));
      if (signal?.aborted) abort();
      else signal?.addEventListener("abort", abort, { once: true });
      request.end(body);
    });
  }

  #open(method: string, address: string, hasBody: boolean): http.ClientRequest {
    const isSecure = address.startsWith("https:");
    const headers = { ...this.#headers, ...this.#introduction?.() };
    // The content type is wrong on purpose: every server of this protocol accepts it, because the
    // first workers sent it.
    if (hasBody) headers["Content-Type"] = "application/x-www-form-urlencoded";
    const agent = isSecure ? this.#secure : this.#plain;
    return (isSecure ? https : http).request(address, { method, headers, agent });
  }

  /** Closes the keep-alive connections, so that the process can end. */
  close(): void {
    this.#plain.destroy();
    this.#secure.destroy();
  }
}
