// What a fake Pod shows on its http ports: a page that says what it is, and to programs what it was
// asked. It opens no socket: who connects gets one end of a pair of streams.

import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { type Duplex, duplexPair } from "node:stream";
import { NotReached } from "../../domain/pod/unreached.ts";
import type { Life } from "./life.ts";

/** More of a request's body than this is not told back. */
const MOST_TOLD = 65_536;

export class FakePage {
  readonly #id: string;
  readonly #life: Life;
  readonly #servers: ReadonlyMap<number, Server>;
  readonly #open = new Set<Duplex>();

  constructor(id: string, ports: readonly number[], life: Life) {
    this.#id = id;
    this.#life = life;
    this.#servers = new Map(ports.map((port) => [port, this.#serverOn(port)]));
    life.signal.addEventListener("abort", () => {
      for (const end of this.#open) end.destroy();
    });
  }

  /** Throws NotReached where it has no page on this port, or was told to have none. */
  connect(port: number): Duplex {
    const server = this.#servers.get(port);
    if (this.#life.over) throw new NotReached("not_running");
    if (!server || this.#life.behaviour.noWeb) throw new NotReached("refused");
    const [outside, inside] = duplexPair();
    for (const end of [outside, inside]) {
      this.#open.add(end);
      end.once("close", () => this.#open.delete(end));
    }
    server.emit("connection", inside);
    return outside;
  }

  #serverOn(port: number): Server {
    return createServer(async (request, response) => {
      const body = await bodyOf(request);
      await this.#life.audible();
      await this.#life.pause(this.#life.behaviour.webMs);
      if (!this.#life.over) this.#answer(port, request, body, response);
    });
  }

  #answer(port: number, request: IncomingMessage, body: string, response: ServerResponse): void {
    const { method, url, rawHeaders, headers } = request;
    const told = { podId: this.#id, port, method, path: url, headers: rawHeaders, body };
    const page = headers.accept?.includes("text/html");
    response.setHeader("content-type", page ? "text/html; charset=utf-8" : "application/json");
    response.end(page ? pageOf(this.#id, port) : JSON.stringify(told));
  }
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let body = "";
  request.setEncoding("utf8");
  for await (const piece of request) if (body.length < MOST_TOLD) body += piece;
  return body.slice(0, MOST_TOLD);
}

const pageOf = (id: string, port: number) => `<!doctype html>
<html lang="en"><title>Pod ${id}</title>
<h1>Pod ${id}</h1>
<p>This is its port ${port}. The Pod exists only in memory: the fake driver plays it.</p>
</html>
`;
