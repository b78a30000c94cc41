// Pages of another origin, in a browser: its preflights, its calls of every interface, and its uploads to a volume.

import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { type TestContext, test } from "node:test";
import { pathToFileURL } from "node:url";
import { openWindow, skipReason } from "../console/browser.ts";
import { addCleanup } from "../fixtures/cleanup.ts";
import { npmClient } from "../sdk/npm-client.ts";
import { jsClient, startS3 } from "./fixture.ts";

interface Call {
  url: string;
  method: string;
  headers?: Record<string, string>;
  body?: string;
}

async function servePage(t: TestContext): Promise<string> {
  const server = createServer((_, response) => response.end("<!doctype html><title>page</title>"));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  addCleanup(t, () => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

/** What the page reads: the status and the first piece of the body, or the browser's refusal. */
async function openPage(t: TestContext, service: { origin: string }) {
  const { page } = await openWindow(t, service, { direct: true });
  await page.goto(await servePage(t));
  return (call: Call) =>
    page.evaluate(async ({ url, ...init }) => {
      try {
        const response = await fetch(url, init);
        const first = await response.body?.getReader().read();
        const tag = response.headers.get("etag") !== null;
        return { status: response.status, text: new TextDecoder().decode(first?.value), tag };
      } catch (error) {
        return { status: 0, text: String(error), tag: false };
      }
    }, call);
}

test("a page calls every interface with a key", { skip: skipReason }, async (t) => {
  const service = await startS3(t);
  const endpoint = await service.makeEndpoint();
  const send = await openPage(t, service);
  const headers = {
    authorization: `Bearer ${service.key}`,
    "content-type": "application/json",
    "x-stainless-lang": "js",
  };
  for (const [method, path, body, status, text] of [
    ["POST", `/v2/${endpoint}/run`, '{"input":{}}', 200, /"IN_QUEUE"/],
    ["GET", "/v1/events", undefined, 200, /^/],
    ["PATCH", "/v1/pods/none", '{"name":"a"}', 404, /no Pod none/],
    ["DELETE", "/v2/pods/none", undefined, 404, /no Pod none/],
    ["POST", "/graphql", '{"query":"{ myself { id } }"}', 200, /"myself"/],
    ["PUT", `/s3/${service.bucket}/a.txt`, "hello", 200, /^$/],
    ["GET", `/s3/${service.bucket}/a.txt`, undefined, 200, /^hello$/],
    ["GET", `/s3/${service.bucket}/none`, undefined, 404, /NoSuchKey/],
  ] as const) {
    const call = { url: service.origin + path, method, headers, ...(body && { body }) };
    const answer = await send(call);
    assert.equal(answer.status, status, `${method} ${path}: ${answer.text}`);
    assert.match(answer.text, text, path);
  }
  const metrics = await send({ url: `${service.origin}/metrics`, method: "GET", headers });
  assert.equal(metrics.status, 0, "metrics are for no other origin");
});

test("a page uploads and reads with presigned URLs", { skip: skipReason }, async (t) => {
  const service = await startS3(t);
  const entry = npmClient(t, "@aws-sdk/s3-request-presigner/dist-cjs/index.js");
  const js = await jsClient(t, service);
  if (!entry || !js) return;
  const { getSignedUrl } = await import(pathToFileURL(entry).href);
  const signed = (name: string): Promise<string> => {
    const command = new js.sdk[`${name}Command`]({ Bucket: service.bucket, Key: "a b" });
    return getSignedUrl(js.client, command, { expiresIn: 60 });
  };
  const send = await openPage(t, service);
  const headers = { "content-type": "text/plain" };
  const put = await send({ url: await signed("PutObject"), method: "PUT", headers, body: "hi" });
  assert.deepEqual(put, { status: 200, text: "", tag: true });
  const url = await signed("GetObject");
  const range = { range: "bytes=1-" };
  assert.deepEqual((await send({ url, method: "GET", headers: range })).text, "i");
  const changed = await send({ url: url.replace("a%20b", "other"), method: "GET" });
  assert.equal(changed.status, 403);
  assert.match(changed.text, /SignatureDoesNotMatch/);
});
