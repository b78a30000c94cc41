// A request that may be asked twice, and its answer back, on a connection that is kept. Where that
// turns out to be closed, or its client does not know how to ask or what it is told, another one asks.

import type { ServerResponse } from "node:http";
import type { Dispatcher } from "undici";
import type { Unreached } from "../../domain/pod/unreached.ts";
import { pairs, responseHeaders } from "./headers.ts";
import type { Asked, KeptConnections } from "./kept-connections.ts";
import { passNews } from "./news.ts";
import type { Visit } from "./visit.ts";
import { isCut, whyOf } from "./why-of.ts";

export function passAgain(
  connections: KeptConnections,
  asked: Asked,
  visit: Visit,
  response: ServerResponse,
  refuse: (why: Unreached) => void,
  again: () => void,
): void {
  let passing: Dispatcher.DispatchController | null = null;
  response.once("close", () => {
    if (!response.writableFinished) passing?.abort(new Error("nobody waits for it"));
  });
  void connections.ask(asked, (kept) => {
    let [answered, begun] = [false, false];
    return {
      onRequestStart(controller) {
        passing = controller;
        if (response.destroyed) controller.abort(new Error("nobody waits for it"));
      },
      onResponseStart({ rawHeaders }, status, _headers, message) {
        if (status < 200) return passNews(status, textsOf(rawHeaders), response);
        answered = true;
        response.writeHead(status, message, responseHeaders(textsOf(rawHeaders), visit));
        // The head goes with the first piece of the body, but waits for none that takes its time.
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
        if (trailers.length > 0) response.addTrailers(pairs(trailers));
        response.end();
      },
      onResponseError(_controller, error) {
        if (response.destroyed) return;
        if (answered) response.destroy();
        else if ((kept && isCut(error)) || isBeyond(error)) again();
        else refuse(whyOf(error));
      },
    };
  });
}

/** What is legal HTTP, and not known to the client. */
function isBeyond({ code, message }: Error & { code?: string }): boolean {
  return code === "UND_ERR_INVALID_ARG" || /^bad (?:response|upgrade)$/.test(message);
}

/** As they came, names and values in turn; HTTP/1.1 has them as bytes, whatever their type says. */
function textsOf(raw: Dispatcher.DispatchController["rawHeaders"]): string[] {
  return (raw as Buffer[] | null)?.map((each) => each.toString("latin1")) ?? [];
}
