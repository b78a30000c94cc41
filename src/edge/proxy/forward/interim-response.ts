// Interim responses (1xx) of a Pod, such as 100 Continue and 103 Early Hints.

import type { ResponseWriter } from "../../http/plain/exchange.ts";
import { responseHeaders } from "../headers.ts";
import type { ProxyRequest } from "../proxy-request.ts";

/** Relays a 100 only if the client expects it, and every other interim response. */
export function relayInterim(
  status: number,
  rawHeaders: string[],
  target: Pick<ProxyRequest, "host" | "prefix">,
  response: ResponseWriter,
): void {
  const { req: request } = response;
  if (response.headersSent || response.destroyed || request.httpVersion !== "1.1") return;
  if (status !== 100) response.writeInformation?.(status, interimHeaders(rawHeaders, target));
  else if (request.headers.expect !== undefined) response.writeContinue();
}

/** Clients obey some headers of an interim response as they obey those of the final one. */
const interimHeaders = (raw: string[], { host, prefix }: Pick<ProxyRequest, "host" | "prefix">) =>
  responseHeaders(raw, { host, prefix });
