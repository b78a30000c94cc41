// Calls of a service in another process, as a client of the seeded account.

import assert from "node:assert/strict";
import type { Seeded } from "./seed.ts";

export function callerOf(port: number, { key }: Pick<Seeded, "key">) {
  return async (method: string, route: string, body?: object) => {
    const answer = await fetch(`http://127.0.0.1:${port}${route}`, {
      method,
      headers: { authorization: key, "content-type": "application/json" },
      body: body && JSON.stringify(body),
    });
    const text = await answer.text();
    assert.equal(answer.status, 200, text);
    // biome-ignore lint/suspicious/noExplicitAny: a test reads any body
    return JSON.parse(text) as any;
  };
}
