// Requests to a service that may be killed during each of them; null is a missing response.

import { Agent, request } from "node:http";
import { pauseMs } from "../fixtures/time/pace.ts";

const agent = new Agent({ keepAlive: true, maxSockets: 256 });

export interface Answer {
  status: number;
  text: string;
}

export interface Ask {
  method: "GET" | "POST";
  path: string;
  key: string;
  body?: string;
  headers?: Record<string, string>;
}

type Way = "directly" | "through a balancer";

/**
 * Between two tries. A process is killed within 350 ms, and should meet many requests; replicas lack their database for
 * seconds, in which more requests would be most of the load.
 */
const RETRY_MS: Record<Way, number> = { directly: 15, "through a balancer": 60 };

export class Connection {
  /** Set once the run is over: retries end. */
  over = false;
  readonly #port: number;
  readonly #through: Way;

  constructor(port: number, through: Way = "directly") {
    this.#port = port;
    this.#through = through;
  }

  /** Null if the service was down, or was killed before its response was complete. */
  ask({ method, path, key, body, headers }: Ask): Promise<Answer | null> {
    return new Promise((resolve) => {
      const sent = request(
        {
          agent,
          host: "127.0.0.1",
          port: this.#port,
          method,
          path,
          headers: {
            authorization: key,
            ...(body !== undefined && {
              "content-type": "application/json",
              "content-length": Buffer.byteLength(body),
            }),
            ...headers,
          },
        },
        (response) => {
          const parts: Buffer[] = [];
          response.on("data", (part: Buffer) => parts.push(part));
          response.on("end", () => {
            const text = Buffer.concat(parts).toString("utf8");
            const status = response.statusCode!;
            // A load balancer answers for a dead replica, and a replica for an unavailable store.
            const nobody = this.#through !== "directly" && (status === 502 || status === 503);
            resolve(response.complete && !nobody ? { status, text } : null);
          });
          response.on("error", () => resolve(null));
          response.on("close", () => resolve(null));
        },
      );
      sent.on("error", () => resolve(null));
      sent.end(body);
    });
  }

  pauseBeforeRetry(): Promise<void> {
    return pauseMs(RETRY_MS[this.#through]);
  }

  /** Retries until there is a response or the run is over; `again` is called at every retry. */
  async insist(
    ask: Ask,
    again: () => void = () => {},
    unwanted = () => false,
  ): Promise<Answer | null> {
    while (!unwanted()) {
      const answer = await this.ask(ask);
      if (answer && answer.status < 500) return answer;
      if (this.over) return null;
      again();
      await this.pauseBeforeRetry();
    }
    return null;
  }
}
