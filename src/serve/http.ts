// One HTTP call, over connections that are kept open. Node's own client rather than fetch: it tells
// when an answer has begun, which decides whether a job on its way to a stopping worker is accepted.

import http from "node:http";
import https from "node:https";
import { version } from "./version.ts";

export interface Reply {
  status: number;
  text: string;
}

export interface Call {
  method: "GET" | "POST";
  address: string;
  body?: string;
  /** Gives up once nothing has moved on the connection for so long. */
  idleMs: number;
  /** Gives up when it aborts, unless the answer has begun: that is then read to its end. */
  signal?: AbortSignal;
}

export class Http {
  readonly #plain = new http.Agent({ keepAlive: true });
  readonly #secure = new https.Agent({ keepAlive: true });
  readonly #headers: Record<string, string>;

  /** `key` goes into the Authorization header as it is, without a scheme. */
  constructor(key: string | undefined) {
    this.#headers = { "User-Agent": `freehold-worker/${version}`, Accept: "application/json" };
    if (key) this.#headers.Authorization = key;
  }

  /** Any status is an answer; rejects where none came. */
  call({ method, address, body, idleMs, signal }: Call): Promise<Reply> {
    return new Promise((resolve, reject) => {
      const request = this.#open(method, address, body !== undefined);
      const giveUp = () => request.destroy(new Error("given up"));
      request.setTimeout(idleMs, () => request.destroy(new Error(`silent for ${idleMs} ms`)));
      request.on("response", (response) => {
        signal?.removeEventListener("abort", giveUp);
        const parts: Buffer[] = [];
        response.on("data", (part) => parts.push(part));
        response.on("end", () => {
          resolve({ status: response.statusCode ?? 0, text: Buffer.concat(parts).toString() });
        });
        response.on("error", reject);
      });
      request.on("error", reject);
      request.on("close", () => signal?.removeEventListener("abort", giveUp));
      if (signal?.aborted) giveUp();
      else signal?.addEventListener("abort", giveUp, { once: true });
      request.end(body);
    });
  }

  #open(method: string, address: string, hasBody: boolean): http.ClientRequest {
    const secure = address.startsWith("https:");
    const headers = { ...this.#headers };
    // The label is wrong and deliberate: it is the one that every server of this protocol is known
    // to accept, because the first workers sent it.
    if (hasBody) headers["Content-Type"] = "application/x-www-form-urlencoded";
    const agent = secure ? this.#secure : this.#plain;
    return (secure ? https : http).request(address, { method, headers, agent });
  }

  /** Closes the connections that are kept open, so that the process can end. */
  close(): void {
    this.#plain.destroy();
    this.#secure.destroy();
  }
}
