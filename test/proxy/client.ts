// A client of Pods' HTTP ports that resolves names like a browser: every name below localhost is
// loopback.

import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { textOf } from "./fixture.ts";

export interface Seen {
  status: number;
  headers: IncomingMessage["headers"];
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: a test reads whatever came
  json: any;
}

export interface Wanted {
  method?: string;
  path?: string;
  headers?: Record<string, string>;
  body?: string;
}

/** Calls a port of a Pod through the service at `origin`. */
export async function visit(
  origin: string,
  podId: string,
  port: number,
  { method = "GET", path = "/", headers = {}, body }: Wanted = {},
): Promise<Seen> {
  const { hostname, port: at } = new URL(origin);
  const host = `${podId}-${port}.proxy.localhost:${at}`;
  const outgoing = request({
    host: hostname,
    port: at,
    method,
    path,
    headers: { host, ...headers },
  });
  outgoing.end(body);
  const [answer] = (await once(outgoing, "response")) as [IncomingMessage];
  const text = await textOf(answer);
  const isJson = answer.headers["content-type"]?.startsWith("application/json");
  const json = isJson ? JSON.parse(text) : undefined;
  return { status: answer.statusCode!, headers: answer.headers, text, json };
}
