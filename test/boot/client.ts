// A client of a service that runs in its own process.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import path from "node:path";
import { until } from "../fixtures/until.ts";

export interface Reply {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: a test reads whatever came
  json: any;
}

export type Call = (method: string, address: string, body?: unknown) => Promise<Reply>;

/** Calls with the owner's key, or with a given key. */
export function clientOf(service: { origin: string }, key: string): Call {
  return async (method, address, body) => {
    const response = await fetch(service.origin + address, {
      method,
      headers: {
        authorization: key,
        ...(body !== undefined && { "content-type": "application/json" }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, json: text === "" ? null : JSON.parse(text) };
  };
}

/** The key that this machine's commands use. */
export function localKey(dataFolder: string): string {
  return readFileSync(path.join(dataFolder, "cli.key"), "utf8").trim();
}

/** Polls until the job is in one of the states. */
export async function jobIn(call: Call, address: string, ...states: string[]): Promise<Reply> {
  return until(async () => {
    const reply = await call("GET", address);
    assert.equal(reply.status, 200);
    return states.includes(reply.json.status) ? reply : null;
  });
}
