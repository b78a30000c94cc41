// The S3 operations below /s3/ of the service's own address, with API keys and sessions.

import assert from "node:assert/strict";
import { test } from "node:test";
import { createOtherAccount } from "../fixtures/service/other-account.ts";
import { visit } from "../proxy/client.ts";
import { startS3 } from "./fixture.ts";

test("an API key or a session opens volumes, as far as it permits, and files are no pages", async (t) => {
  const service = await startS3(t);
  const { origin, bucket } = service;
  const address = `${origin}/s3/${bucket}/a/page.html`;
  const open = async (headers: Record<string, string>, method = "GET", body?: string) => {
    const response = await fetch(address, { method, headers, ...(body && { body }) });
    return { status: response.status, headers: response.headers, text: await response.text() };
  };
  const bearer = (key: string) => ({ authorization: `Bearer ${key}` });
  const own = { ...bearer(service.key), "content-type": "text/html" };
  assert.equal((await open(own, "PUT", "<script>")).status, 200);
  const read = await open(own);
  assert.deepEqual([read.status, read.text], [200, "<script>"]);
  assert.equal(read.headers.get("content-type"), "text/html");
  assert.match(read.headers.get("content-security-policy") ?? "", /sandbox/);
  assert.equal(read.headers.get("content-disposition"), "attachment");
  assert.equal(read.headers.get("x-content-type-options"), "nosniff");
  assert.equal((await open({ ...own, range: "bytes=1-3" })).text, "scr");

  const { host } = new URL(origin);
  for (const path of [address, `//s3/${bucket}/a/page.html`, `/s3//${bucket}/a/page.html`]) {
    const { status, text } = await visit(origin, "", 0, { path, headers: { ...own, host } });
    assert.deepEqual([status, text], [200, "<script>"], path);
  }

  const list = await fetch(`${origin}/s3/${bucket}?list-type=2&prefix=a/`, { headers: own });
  assert.match(await list.text(), /<Key>a\/page\.html<\/Key>/);

  const { json: reader } = await service.call("POST", "/v1/keys", {
    name: "reader",
    permissions: { rest: "read" },
  });
  assert.equal((await open(bearer(reader.key))).status, 200);
  for (const method of ["PUT", "POST", "DELETE"]) {
    assert.equal((await open(bearer(reader.key), method)).status, 403);
  }
  const { authorization = "" } = await createOtherAccount(service);
  const foreign = await open({ authorization });
  assert.equal(foreign.status, 404);
  assert.match(foreign.text, /<Code>NoSuchBucket<\/Code>/);
  assert.equal((await open({})).status, 401);
  const unsigned = { ...own, "x-amz-content-sha256": "STREAMING-AWS4-HMAC-SHA256-PAYLOAD" };
  assert.match((await open(unsigned, "PUT", "5;chunk-signature=0")).text, /InvalidArgument/);

  const signIn = await fetch(`${origin}/v1/session`, {
    method: "POST",
    headers: { "content-type": "application/json", origin },
    body: JSON.stringify({ key: service.key }),
  });
  const cookie = signIn.headers.getSetCookie()[0]!.split(";")[0]!;
  assert.equal((await open({ cookie, "sec-fetch-site": "same-origin" })).text, "<script>");
  assert.equal((await open({ cookie, "sec-fetch-site": "cross-site" })).status, 403);
  assert.equal((await open({ cookie, origin: "http://evil.example" }, "DELETE")).status, 403);
  assert.equal((await open({ cookie, origin }, "DELETE")).status, 204);
  assert.equal((await open(own)).status, 404);
});
