// The listener for requests of an ACME server on port 80 (RFC 8555, 8.3). It leads pages to the service's https address.

import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { guarded } from "../../../base/guarded.ts";
import { createServer } from "../../../base/node/http.ts";
import { Fault } from "../../../domain/fault.ts";
import { failRequest, refuseRequest, sendParseFault } from "../socket-fault.ts";
import { isOpenRead } from "./plain-refusal.ts";

const CHALLENGE = /^\/\.well-known\/acme-challenge\/([\w-]{1,256})$/;
const TIMEOUT_MS = 10_000;
const MAX_CONNECTIONS = 500;

interface Deps {
  /** The text for a token; null if there is no such challenge. */
  answerFor(token: string): Promise<string | null>;
  /** The service's https address. */
  publicUrl: string;
}

export function challengeServer({ answerFor, publicUrl }: Deps): Server {
  const respond = async (request: IncomingMessage, response: ServerResponse) => {
    const { url = "" } = request;
    const token = CHALLENGE.exec(url)?.[1];
    if (token !== undefined && isOpenRead(request)) {
      const text = await answerFor(token);
      response.writeHead(text === null ? 404 : 200, { "content-type": "text/plain" });
      return void response.end(text ?? "");
    }
    if (isOpenRead(request) && url.startsWith("/")) {
      return void response.writeHead(308, { location: publicUrl + url, connection: "close" }).end();
    }
    const detail = `this port serves no API; call ${publicUrl}, and replace a key that was sent over plain http`;
    refuseRequest(response, new Fault("invalid_http", { detail }));
  };
  const server = createServer(guarded("a request", respond, failRequest));
  server.on("clientError", sendParseFault);
  server.headersTimeout = TIMEOUT_MS;
  server.requestTimeout = TIMEOUT_MS;
  server.maxConnections = MAX_CONNECTIONS;
  return server;
}
