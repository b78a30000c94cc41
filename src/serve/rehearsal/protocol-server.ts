// A small server for the worker's own tests: it speaks the worker protocol, holds polls until the
// test lets them go, and remembers what it was asked.

import { once } from "node:events";
import http from "node:http";
import type { AddressInfo } from "node:net";

/** One request as it came. `jobId` is what follows the worker's id in the path, if anything does. */
export interface Asked {
  route: string;
  url: URL;
  method: string;
  headers: http.IncomingHttpHeaders;
  text: string;
  jobId: string;
}

/** An answer a test gives in the server's stead; null leaves it to the server. */
export type Answer = (asked: Asked) => number | { status: number; text: string } | null;

export class ProtocolServer {
  readonly asked: Asked[] = [];
  readonly queue: unknown[] = [];
  readonly stops: string[] = [];
  answer: Answer = () => null;
  #server = http.createServer((request, response) => void this.#take(request, response));
  #held: { asked: Asked; response: http.ServerResponse }[] = [];
  #watchers: (() => void)[] = [];
  #port = 0;

  async open(): Promise<this> {
    this.#server.listen(this.#port, "127.0.0.1");
    await once(this.#server, "listening");
    this.#port = (this.#server.address() as AddressInfo).port;
    return this;
  }

  /** Ends at once, as a crash would; `open` starts it again on the same port. */
  async close(): Promise<void> {
    const closed = once(this.#server, "close");
    this.#server.close();
    this.#server.closeAllConnections();
    await closed;
    this.#held = [];
  }

  /** The variables a platform would inject for worker `w1`. */
  env(): Record<string, string> {
    const base = `http://127.0.0.1:${this.#port}/v2/e1`;
    return {
      RUNPOD_POD_ID: "w1",
      RUNPOD_AI_API_KEY: "secret",
      RUNPOD_ENDPOINT_ID: "e1",
      RUNPOD_WEBHOOK_GET_JOB: `${base}/job-take/w1?gpu=A+B`,
      RUNPOD_WEBHOOK_POST_OUTPUT: `${base}/job-done/w1/$ID?gpu=A+B`,
      RUNPOD_WEBHOOK_POST_STREAM: `${base}/job-stream/w1/$ID?gpu=A+B`,
      RUNPOD_WEBHOOK_PING: `${base}/ping/w1?gpu=A+B`,
    };
  }

  give(...jobs: unknown[]): void {
    this.queue.push(...jobs);
    this.#serveHeld();
  }

  stopJob(id: string): void {
    this.stops.push(id);
    this.#serveHeld();
  }

  /** Answers every poll that is held with 204. */
  releasePolls(): void {
    for (const { response } of this.#held.splice(0)) response.writeHead(204).end();
  }

  on(route: string): Asked[] {
    return this.asked.filter((asked) => asked.route === route);
  }

  /** The bodies posted for a job to job-done, or another route, in order. */
  posts(jobId: string, route = "job-done"): unknown[] {
    return this.on(route)
      .filter((asked) => asked.jobId === jobId)
      .map(({ text }) => JSON.parse(text));
  }

  /** Resolves once `holds` does; it is asked again after every request. */
  async until(holds: () => boolean): Promise<void> {
    while (!holds()) await new Promise<void>((resolve) => this.#watchers.push(resolve));
  }

  async #take(request: http.IncomingMessage, response: http.ServerResponse): Promise<void> {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const url = new URL(request.url ?? "", "http://server");
    const [, , , route = "", , jobId = ""] = url.pathname.split("/");
    const { method = "", headers } = request;
    const text = Buffer.concat(parts).toString();
    const asked = { route, url, method, headers, text, jobId };
    this.asked.push(asked);
    const given = this.answer(asked);
    if (typeof given === "number") response.writeHead(given).end();
    else if (given) response.writeHead(given.status).end(given.text);
    else if (route.startsWith("job-take") || route === "job-stop") this.#hold(asked, response);
    else response.end();
    for (const watcher of this.#watchers.splice(0)) watcher();
  }

  #hold(asked: Asked, response: http.ServerResponse): void {
    const poll = { asked, response };
    this.#held.push(poll);
    response.on("close", () => {
      this.#held = this.#held.filter((other) => other !== poll);
      for (const watcher of this.#watchers.splice(0)) watcher();
    });
    this.#serveHeld();
  }

  /** How many polls are open on a route. */
  held(route: string): number {
    return this.#held.filter(({ asked }) => asked.route === route).length;
  }

  #serveHeld(): void {
    for (const { asked, response } of [...this.#held]) {
      const body = this.#bodyFor(asked);
      if (body === undefined) continue;
      this.#held = this.#held.filter((other) => other.response !== response);
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify(body));
    }
  }

  #bodyFor({ route, url }: Asked): unknown {
    if (route === "job-stop") {
      return this.stops.length > 0 ? { jobsToStop: this.stops.splice(0) } : undefined;
    }
    if (this.queue.length === 0) return undefined;
    if (route === "job-take") return this.queue.shift();
    return this.queue.splice(0, Number(url.searchParams.get("batch_size")));
  }
}
