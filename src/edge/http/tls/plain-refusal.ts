// Plain http from the network on a port with TLS. A page is redirected; a request that carries a key or a body is refused
// with a sentence, so that its caller learns of the wrong address. Requests of other replicas are served, and the root
// certificate that a client needs before it can speak TLS.

import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Clock } from "../../../base/clock.ts";
import { guarded } from "../../../base/guarded.ts";
import { createServer } from "../../../base/node/http.ts";
import { Fault } from "../../../domain/fault.ts";
import { endWithFault, failRequest, refuseRequest, sendParseFault } from "../socket-fault.ts";
import { RequestDeadlines } from "./request-deadline.ts";
import { ROOT_PATH } from "./root-route.ts";

/** Replicas sign their requests and hold the service's secret key; see docs/tls.md. */
const isReplicas = ({ url = "" }: IncomingMessage) => url.startsWith("/replica/");

const isServed = (request: IncomingMessage) =>
  isReplicas(request) || (request.url === ROOT_PATH && isOpenRead(request));

/** True for a read without a secret, which would have crossed the network. */
export const isOpenRead = ({ method, headers }: IncomingMessage) =>
  (method === "GET" || method === "HEAD") &&
  headers.authorization === undefined &&
  headers.cookie === undefined;

/** Answers connections that it is given; `server` handles what replicas send. */
export function plainRefusal(server: Server, clock: Clock): Server {
  const plain = createServer({ requireHostHeader: false, shouldUpgradeCallback: isReplicas });
  const deadlines = new RequestDeadlines(clock);
  plain.on("connection", (socket) => deadlines.watch(socket));
  plain.on(
    "request",
    guarded(
      "a request",
      (request, response) => {
        if (!isServed(request)) return refuse(request, response);
        deadlines.suspend(request, response);
        server.emit("request", request, response);
      },
      failRequest,
    ),
  );
  plain.on(
    "checkContinue",
    guarded("a request", (request, response) => refuseRequest(response, tlsFault(request))),
  );
  plain.on(
    "upgrade",
    guarded("a request", (request, socket, head) => {
      if (!isReplicas(request)) return endWithFault(socket, tlsFault(request));
      deadlines.end(request);
      server.emit("upgrade", request, socket, head);
    }),
  );
  plain.on("clientError", sendParseFault);
  return plain;
}

function refuse(request: IncomingMessage, response: ServerResponse): void {
  const location = redirectOf(request);
  if (location === null) refuseRequest(response, tlsFault(request));
  else response.writeHead(308, { location, connection: "close" }).end();
}

function redirectOf(request: IncomingMessage): string | null {
  if (!isOpenRead(request)) return null;
  const { url, headers } = request;
  return isHost(headers.host) && url?.startsWith("/") ? `https://${headers.host}${url}` : null;
}

const isHost = (host: string | undefined): host is string =>
  host !== undefined && /^[\w.-]+(?::\d+)?$|^\[[0-9a-f:.]+\](?::\d+)?$/i.test(host);

function tlsFault({ headers: { host } }: IncomingMessage): Fault {
  const address = isHost(host) ? `https://${host}` : "its https:// address";
  return new Fault("invalid_http", {
    detail: `this port speaks TLS; call ${address}, and replace a key that was sent over plain http`,
  });
}
