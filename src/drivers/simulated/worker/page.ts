// The page that a simulated Pod serves on its HTTP ports: HTML for browsers, the request as JSON for
// programs. It opens no socket: a client gets one end of a pair of streams.

import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import { guarded } from "../../../base/guarded.ts";
import { createServer } from "../../../base/node/http.ts";
import { NotReached } from "../../../domain/container/unreachable-port.ts";
import { connectionPair } from "../connection-pair.ts";
import { isOpenaiPath, MAX_BODY_CHARS, respondOpenai } from "../openai/http.ts";
import type { WorkerRuntime } from "./runtime.ts";

/** The part of a request's body that the JSON reply shows. */
const MAX_ECHOED_CHARS = 65_536;

export class SimulatedPage {
  readonly #id: string;
  readonly #runtime: WorkerRuntime;
  readonly #servers: ReadonlyMap<number, Server>;
  readonly #open = new Set<Duplex>();
  #openaiRequests = 0;

  constructor(id: string, ports: readonly number[], runtime: WorkerRuntime) {
    this.#id = id;
    this.#runtime = runtime;
    this.#servers = new Map(ports.map((port) => [port, this.#serverOn(port)]));
    runtime.signal.addEventListener("abort", () => {
      for (const end of this.#open) end.destroy();
    });
  }

  /** Throws NotReached if it has no page on this port, or `noWeb` is set. */
  connect(port: number): Duplex {
    const server = this.#servers.get(port);
    if (this.#runtime.hasEnded) throw new NotReached("not_running");
    if (!server || this.#runtime.behavior.noWeb) throw new NotReached("refused");
    const [clientEnd, serverEnd] = connectionPair();
    for (const end of [clientEnd, serverEnd]) {
      this.#open.add(end);
      end.once("close", () => this.#open.delete(end));
    }
    server.emit("connection", serverEnd);
    return clientEnd;
  }

  #serverOn(port: number): Server {
    const serve = async (request: IncomingMessage, response: ServerResponse) => {
      // The end of the Pod closes its connections too.
      const disconnect = new AbortController();
      response.once("close", () => disconnect.abort());
      const { signal } = disconnect;
      const isOpenai = this.#runtime.openai !== null && isOpenaiPath(request.url!);
      const body = await bodyOf(request, isOpenai ? MAX_BODY_CHARS : MAX_ECHOED_CHARS);
      if (body === null) return;
      await this.#runtime.untilNotSilent();
      await this.#runtime.pause(this.#runtime.behavior.webMs, signal);
      if (signal.aborted) return;
      if (!isOpenai) return this.#answer(port, request, body, response);
      const id = `${this.#id}-${++this.#openaiRequests}`;
      await this.#runtime.pause(this.#runtime.behavior.jobMs, signal);
      await respondOpenai(this.#runtime, { url: request.url!, body, id, signal }, response);
    };
    return createServer(
      guarded("a simulated Pod's port", serve, (_, response) => response.destroy()),
    );
  }

  #answer(port: number, request: IncomingMessage, body: string, response: ServerResponse): void {
    const { method, url, rawHeaders, headers } = request;
    const echo = { podId: this.#id, port, method, path: url, headers: rawHeaders, body };
    const page = headers.accept?.includes("text/html");
    response.setHeader("content-type", page ? "text/html; charset=utf-8" : "application/json");
    response.end(page ? pageOf(this.#id, port) : JSON.stringify(echo));
  }
}

/** The start of the body; null if its connection closes before it is complete. */
async function bodyOf(request: IncomingMessage, maxChars: number): Promise<string | null> {
  let body = "";
  request.setEncoding("utf8");
  try {
    for await (const piece of request) if (body.length < maxChars) body += piece;
  } catch {
    return null;
  }
  return body.slice(0, maxChars);
}

const pageOf = (id: string, port: number) => `<!doctype html>
<html lang="en"><title>Pod ${id}</title>
<h1>Pod ${id}</h1>
<p>This is port ${port}. This Pod is simulated: it exists only in memory, and its image does not run.</p>
</html>
`;
