// Tests of whether the console takes the service for one that answers.

import assert from "node:assert/strict";
import { test } from "node:test";
import { isReachable } from "../../console/src/api/retrying-fetch.ts";

test("a service that answers is reachable, and a proxy in its place is not", async (t) => {
  const answers: Record<number, boolean> = { 200: true, 429: true, 502: false, 503: false };
  for (const [status, expected] of Object.entries(answers)) {
    t.mock.method(globalThis, "fetch", async () => new Response("", { status: Number(status) }));
    assert.equal(await isReachable(), expected, status);
  }
});

test("a service that refuses or hangs is not reachable", async (t) => {
  t.mock.method(globalThis, "fetch", async () => {
    throw new TypeError("Failed to fetch");
  });
  assert.equal(await isReachable(), false);
  const aborts = new AbortController();
  t.mock.method(AbortSignal, "timeout", () => aborts.signal);
  t.mock.method(
    globalThis,
    "fetch",
    (_: string, { signal }: RequestInit) =>
      new Promise((_resolve, reject) => {
        signal!.addEventListener("abort", () => reject(signal!.reason));
      }),
  );
  const answer = isReachable();
  aborts.abort();
  assert.equal(await answer, false);
});
