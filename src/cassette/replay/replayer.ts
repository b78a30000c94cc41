// A server that answers calls from a cassette.

import http from "node:http";
import { bodyOf, bytesOf } from "../format/body.ts";
import type { RecordedCall } from "../format/cassette.ts";
import type { Cassette } from "../format/read-cassette.ts";
import { Bindings } from "../normal/bindings.ts";
import { Normalizer } from "../normal/normalizer.ts";
import type { Placeholder } from "../normal/placeholders.ts";
import { renderBody, renderHeaders, type Values } from "../normal/render.ts";
import { SessionIds } from "../normal/session-ids.ts";
import { sendError } from "../server.ts";
import { Matcher } from "./match.ts";

export interface Replay {
  server: http.Server;
  /** The number of recorded calls that were answered, and of calls that were not recorded. */
  counts(): { answered: number; unmatched: number };
}

interface ReplayDeps {
  now: () => number;
  /** Called with a sentence about a call that is not in the cassette. */
  onUnmatched: (sentence: string) => void;
}

export function createReplay({ calls }: Cassette, { now, onUnmatched }: ReplayDeps): Replay {
  const matcher = new Matcher(calls);
  const bindings = new Bindings();
  const ids = idsOf(calls);
  let unmatched = 0;
  const server = http.createServer(async (request, response) => {
    const { method = "GET", url = "/", headers } = request;
    const origin = `http://${headers.host}`;
    const body = bodyOf(await bytesFrom(request));
    const plain = { authorization: headers.authorization ?? "" };
    const normalizer = new Normalizer([origin], now, ids);
    const recordable = normalizer.request({ method, path: url, headers: plain, body });
    const call = matcher.match(recordable);
    if (typeof call === "string") {
      unmatched++;
      onUnmatched(call);
      return sendError(response, 400, "not_recorded", call);
    }
    bindings.learnText(call.path, url);
    bindings.learnBody(call.body, body);
    const key = plain.authorization.replace(/^\w+ +/, "");
    const values: Values = { origin, key, now: now(), idOf: (id) => idFor(id, bindings) };
    const bytes = bytesOf(renderBody(call.answer.body, values));
    const answerHeaders = renderHeaders(call.answer.headers, values);
    response.writeHead(call.answer.status, withLength(call.answer.status, answerHeaders, bytes));
    response.end(bytes);
  });
  return { server, counts: () => ({ answered: matcher.answered, unmatched }) };
}

/** A body is not allowed with 204 and 304. */
function withLength(status: number, headers: Record<string, string>, { length }: Buffer) {
  return [204, 304].includes(status) ? headers : { ...headers, "content-length": String(length) };
}

async function bytesFrom(request: http.IncomingMessage): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece);
  return Buffer.concat(pieces);
}

/** A client's UUID is the one that it sent. */
function idFor(placeholder: Placeholder, bindings: Bindings): string {
  const own = placeholder.name === "uuid" ? bindings.valueOf(placeholder) : undefined;
  return own ?? replayed(placeholder);
}

/** An id as short and as plain as a service's. */
const replayed = ({ name, detail }: Placeholder): string =>
  `${name === "uuid" ? "client" : "replay"}${detail.padStart(8, "0")}`;

/** Every id of the cassette, so that a call finds the placeholders of what it names. */
function idsOf(calls: RecordedCall[]): SessionIds {
  const ids = new SessionIds();
  for (const [whole, detail = ""] of JSON.stringify(calls).matchAll(/\{\{id:(\d+)\}\}/g))
    ids.know(replayed({ name: "id", detail }), whole);
  return ids;
}
