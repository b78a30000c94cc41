// Forwarding a repeatable request on an idle connection. If the connection turns out to be closed, or
// its client does not support the request or the response, the request is sent again another way.

import type { ServerResponse } from "node:http";
import type { Dispatcher } from "undici";
import type { Unreached } from "../../domain/pod/container/unreachable-port.ts";
import { failureReason, isConnectionClosed } from "./failure-reason.ts";
import { headerPairs, responseHeaders } from "./headers.ts";
import type { IdleConnections, OutgoingRequest } from "./idle-connections.ts";
import { relayInterim } from "./interim-response.ts";
import type { ProxyRequest } from "./proxy-request.ts";

export function forwardRepeatable(
  connections: IdleConnections,
  outgoing: OutgoingRequest,
  target: ProxyRequest,
  response: ServerResponse,
  refuse: (why: Unreached) => void,
  again: () => void,
): void {
  let controllerInUse: Dispatcher.DispatchController | null = null;
  response.once("close", () => {
    if (!response.writableFinished) controllerInUse?.abort(new Error("the client disconnected"));
  });
  void connections.send(outgoing, (isReused) => {
    let [answered, begun] = [false, false];
    return {
      onRequestStart(controller) {
        controllerInUse = controller;
        if (response.destroyed) controller.abort(new Error("the client disconnected"));
      },
      onResponseStart({ rawHeaders }, status, _headers, message) {
        if (status < 200) return relayInterim(status, textsOf(rawHeaders), response);
        answered = true;
        target.onHead?.(status);
        response.writeHead(status, message, responseHeaders(textsOf(rawHeaders), target));
        // The head is sent with the first piece of the body, but does not wait for a slow one.
        setImmediate(() => {
          if (!begun && !response.writableEnded && !response.destroyed) response.flushHeaders();
        });
      },
      onResponseData(controller, piece) {
        begun = true;
        if (response.write(piece)) return;
        controller.pause();
        response.once("drain", () => controller.resume());
      },
      onResponseEnd({ rawTrailers }) {
        const trailers = textsOf(rawTrailers);
        if (trailers.length > 0) response.addTrailers(headerPairs(trailers));
        response.end();
      },
      onResponseError(_controller, error) {
        if (response.destroyed) return;
        if (answered) response.destroy();
        else if ((isReused && isConnectionClosed(error)) || isUnsupported(error)) again();
        else refuse(failureReason(error));
      },
    };
  });
}

/** Whether undici does not support something that is legal HTTP. */
function isUnsupported({ code, message }: Error & { code?: string }): boolean {
  return code === "UND_ERR_INVALID_ARG" || /^bad (?:response|upgrade)$/.test(message);
}

/** Raw headers as texts. For HTTP/1.1, undici returns them as bytes, whatever their type says. */
function textsOf(raw: Dispatcher.DispatchController["rawHeaders"]): string[] {
  return (raw as Buffer[] | null)?.map((each) => each.toString("latin1")) ?? [];
}
