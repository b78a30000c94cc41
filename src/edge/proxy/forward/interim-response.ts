// Interim responses (1xx) of a Pod, such as 100 Continue and 103 Early Hints.

import type { ResponseWriter } from "../../http/plain/exchange.ts";

/** Relays a 100 only if the client expects it, and every other interim response. */
export function relayInterim(status: number, rawHeaders: string[], response: ResponseWriter): void {
  const { req: request } = response;
  if (response.headersSent || response.destroyed || request.httpVersion !== "1.1") return;
  if (status !== 100) response.writeInformation?.(status, rawHeaders);
  else if (request.headers.expect !== undefined) response.writeContinue();
}
