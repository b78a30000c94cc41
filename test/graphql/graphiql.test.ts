// GraphiQL: a page for browsers whose every file comes from this origin.

import assert from "node:assert/strict";
import path from "node:path";
import { test } from "node:test";
import { openWindow, skipReason } from "../console/browser.ts";
import { startService } from "../fixtures/service/service.ts";

const anonymous = { authorization: "" };

test("a browser gets the page, and a program without a document 405", async (t) => {
  const service = await startService(t);
  const browser = { ...anonymous, accept: "text/html,application/xhtml+xml,*/*;q=0.8" };
  const page = await service.call("GET", "/graphql", undefined, browser);
  assert.equal(page.status, 200);
  assert.match(page.headers.get("content-type") ?? "", /^text\/html/);
  assert.match(page.headers.get("content-security-policy") ?? "", /default-src 'none'/);
  const parts = [...page.text.matchAll(/(?:src|href)="(\/[^"]*)"/g)].map(([, part]) => part!);
  assert.ok(parts.length >= 2);
  for (const part of parts) {
    const { status, headers } = await service.call("GET", part, undefined, anonymous);
    assert.deepEqual([status, headers.get("content-encoding")], [200, "gzip"], part);
  }
  const stale = { ...browser, authorization: "Bearer fh_wrong" };
  assert.equal((await service.call("GET", "/graphql", undefined, stale)).status, 200);
  for (const accept of ["*/*", "application/json", ""]) {
    const program = await service.call("GET", "/graphql", undefined, { accept });
    assert.deepEqual([program.status, program.headers.get("allow")], [405, "POST"], accept);
  }
  const none = await service.call("GET", "/graphql/graphiql/..%2f..%2fpackage.json");
  assert.deepEqual([none.status, none.json.code], [404, "route_not_found"]);
});

test("in Chromium GraphiQL shows the schema, runs a document and calls no other host", {
  skip: skipReason,
}, async (t) => {
  const service = await startService(t);
  const { page, errors } = await openWindow(t, service);
  await page.goto("/graphql");
  await page.locator(".graphiql-editors").getByText("lowestPrice").first().waitFor();
  await page.locator("button.graphiql-execute-button").click();
  await page.locator(".graphiql-response").getByText("stockStatus").first().waitFor();
  await page.locator('button[aria-label*="Documentation Explorer"]').click();
  await page.getByText("Root Types").first().waitFor();
  const pictures = process.env.FREEHOLD_TEST_PICTURES;
  if (pictures) await page.screenshot({ path: path.join(pictures, "graphiql.png") });
  assert.deepEqual(errors, []);
});
