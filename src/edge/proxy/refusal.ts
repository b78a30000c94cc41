// Error responses of the proxy: JSON, or a small page for browsers.

import { STATUS_CODES } from "../../base/node/http.ts";
import type { Fault } from "../../domain/fault.ts";
import { faultBody } from "../http/faults.ts";
import { JSON_HEADERS } from "../http/json-headers.ts";
import type { InboundRequest, ResponseWriter } from "../http/plain/exchange.ts";

export function refuse(
  request: InboundRequest,
  response: ResponseWriter,
  fault: Fault,
  more: Readonly<Record<string, string>> = {},
): void {
  // Drain the request; its rest would precede the next request on the connection.
  request.resume();
  if (response.headersSent || response.destroyed) return void response.destroy();
  const page = request.headers.accept?.includes("text/html") ?? false;
  const body = page ? pageOf(fault) : JSON.stringify(faultBody(fault));
  const headers = {
    "content-type": page ? "text/html; charset=utf-8" : "application/json",
    "content-length": String(Buffer.byteLength(body)),
    ...JSON_HEADERS,
    "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'",
    ...(fault.retryAfterS !== null && { "retry-after": String(fault.retryAfterS) }),
    ...more,
  };
  response.writeHead(fault.status, STATUS_CODES[fault.status], Object.entries(headers).flat());
  response.end(body);
}

const pageOf = ({ status, code, message }: Fault) => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${status}</title>
<style>body { font: 1rem/1.5 system-ui, sans-serif; margin: 3rem auto; max-width: 40rem; padding: 0 1rem }</style>
<h1>${status}</h1>
<p>${escaped(message)}</p>
<p><code>${code}</code></p>
</html>
`;

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
