// Requests to a service that may die under each of them. No answer is an answer here: null.

import { Agent, request } from "node:http";

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

export class Connection {
  /** Set once the run is over: whoever still insists gives up. */
  over = false;
  readonly #port: number;
  readonly #through: "directly" | "through a balancer";

  constructor(port: number, through: "directly" | "through a balancer" = "directly") {
    this.#port = port;
    this.#through = through;
  }

  /** Null where the service was not there or died before its answer was whole. */
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
            // A balancer answers for a replica that is dead, and a replica for a store that is away.
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

  /** Asks until there is an answer, or nobody wants one; `again` hears of every repetition. */
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
      await pauseMs(15);
    }
    return null;
  }
}

export function pauseMs(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
