// GraphiQL: a page for browsers, all of it from here.

import assert from "node:assert/strict";
import path from "node:path";
import { test } from "node:test";
import { startHouse } from "../house.ts";
import { missing, openPage } from "./browser.ts";

const anonymous = { authorization: "" };

test("browsers get a page, programs a refusal", async (t) => {
  const house = await startHouse(t);
  const browser = { ...anonymous, accept: "text/html,application/xhtml+xml,*/*;q=0.8" };
  const page = await house.call("GET", "/graphql", undefined, browser);
  assert.equal(page.status, 200);
  assert.match(page.headers.get("content-type") ?? "", /^text\/html/);
  assert.match(page.headers.get("content-security-policy") ?? "", /default-src 'none'/);
  const parts = [...page.text.matchAll(/(?:src|href)="(\/[^"]*)"/g)].map(([, part]) => part!);
  assert.ok(parts.length >= 2);
  for (const part of parts) {
    const { status, headers } = await house.call("GET", part, undefined, anonymous);
    assert.deepEqual([status, headers.get("content-encoding")], [200, "gzip"], part);
  }
  for (const accept of ["*/*", "application/json", ""]) {
    const program = await house.call("GET", "/graphql?query={myself{id}}", undefined, { accept });
    assert.deepEqual([program.status, program.headers.get("allow")], [405, "POST"], accept);
  }
  const none = await house.call("GET", "/graphql/graphiql/..%2f..%2fpackage.json");
  assert.deepEqual([none.status, none.json.code], [404, "route_not_found"]);
});

test("in Chromium it shows the schema, runs a document and asks nobody else", {
  skip: missing,
}, async (t) => {
  const house = await startHouse(t);
  const page = await openPage(t, `${house.origin}/graphql`);
  const until = async (expression: string) => {
    while (!(await page.run(expression))) await new Promise((resolve) => setTimeout(resolve, 100));
  };
  await until('Boolean(document.querySelector("button.graphiql-execute-button"))');
  await until('document.body.innerText.includes("lowestPrice")');
  await page.run('document.querySelector("button.graphiql-execute-button").click()');
  await until('document.querySelector(".graphiql-response")?.innerText.includes("stockStatus")');
  await page.run(
    "document.querySelector('button[aria-label*=\"Documentation Explorer\"]')?.click()",
  );
  await until(
    'document.body.innerText.includes("Root Types") || document.body.innerText.includes("root types")',
  );
  const pictures = process.env.FREEHOLD_TEST_PICTURES;
  if (pictures) await page.picture(path.join(pictures, "graphiql.png"));
  assert.deepEqual(page.complaints, []);
  const elsewhere = page.requests.filter(
    (url) => !/^(?:data|blob|about):/.test(url) && !url.startsWith(house.origin),
  );
  assert.deepEqual(elsewhere, []);
});
