// What a Pod says before its answer: that the body is wanted, or what its page will need.

import type { ServerResponse } from "node:http";

/** 100 only to whoever waits for it; everything else as it comes. */
export function passNews(status: number, rawHeaders: string[], response: ServerResponse): void {
  const { req: request } = response;
  if (response.headersSent || response.destroyed || request.httpVersion !== "1.1") return;
  if (status !== 100) response.writeInformation?.(status, rawHeaders);
  else if (request.headers.expect !== undefined) response.writeContinue();
}
