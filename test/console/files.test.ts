// How the console is served: to browsers only, for good where the name says what is in it, and small.

import assert from "node:assert/strict";
import { test } from "node:test";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { startHouse, type TestHouse } from "../house.ts";
import { missing, openConsole } from "./browser.ts";

const MOST_BYTES = 300_000;

const page = { accept: "text/html,application/xhtml+xml", authorization: "" };

async function raw(house: TestHouse, path: string, headers: Record<string, string>) {
  const { request } = await import("node:http");
  return new Promise<{ status: number; headers: NodeJS.Dict<string | string[]>; body: Buffer }>(
    (resolve, reject) => {
      request(house.origin + path, { headers }, (answer) => {
        const pieces: Buffer[] = [];
        answer.on("data", (piece) => pieces.push(piece));
        answer.on("end", () => {
          const { statusCode: status = 0, headers } = answer;
          resolve({ status, headers, body: Buffer.concat(pieces) });
        });
      })
        .on("error", reject)
        .end();
    },
  );
}

test("its addresses are one page to browsers, and no routes to programs", async (t) => {
  const house = await startHouse(t);
  const first = await house.call("GET", "/", undefined, page);
  assert.equal(first.status, 200);
  assert.match(
    first.headers.get("content-security-policy")!,
    /default-src 'none'.*script-src 'self';/,
  );
  assert.equal(first.headers.get("cache-control"), "no-cache");
  for (const path of ["/pods", "/pods/abc/logs", "/billing?from=1", "/sign-in"]) {
    assert.equal((await house.call("GET", path, undefined, page)).text, first.text, path);
    const program = await house.call("GET", path, undefined, { authorization: "" });
    assert.deepEqual([program.status, program.json.code], [404, "route_not_found"], path);
  }
  for (const path of ["/v1/nothing", "/v2/nothing", "/nothing", "/assets"]) {
    const answer = await house.call("GET", path, undefined, page);
    assert.deepEqual([answer.status, answer.json.code], [404, "route_not_found"], path);
  }
  const known = { ...page, "if-none-match": first.headers.get("etag")! };
  assert.equal((await house.call("GET", "/", undefined, known)).status, 304);
});

test("its files come compressed, and are kept for good", async (t) => {
  const house = await startHouse(t);
  const { text } = await house.call("GET", "/", undefined, page);
  const [script] = /\/assets\/[\w-]+\.js/.exec(text)!;
  const plain = await raw(house, script, {});
  const gzip = await raw(house, script, { "accept-encoding": "gzip" });
  const br = await raw(house, script, { "accept-encoding": "gzip, deflate, br" });
  assert.deepEqual(
    [gzip.headers["content-encoding"], br.headers["content-encoding"]],
    ["gzip", "br"],
  );
  assert.deepEqual(gunzipSync(gzip.body), plain.body);
  assert.deepEqual(brotliDecompressSync(br.body), plain.body);
  assert.match(`${br.headers["cache-control"]}`, /immutable/);
  for (const name of ["nothing.js", "..%2findex.html", "index.html", ".js", "built-from"]) {
    const answer = await house.call("GET", `/assets/${name}`, undefined, page);
    assert.equal(answer.status, 404, name);
  }
});

test("the first page takes less than 300 kB", { skip: missing }, async (t) => {
  const house = await startHouse(t);
  const { page: shown, context } = await openConsole(t, house, { at: "/sign-in", direct: true });
  const session = await context.newCDPSession(shown);
  await session.send("Network.enable");
  await session.send("Network.setCacheDisabled", { cacheDisabled: true });
  let bytes = 0;
  session.on("Network.loadingFinished", ({ encodedDataLength }) => {
    bytes += encodedDataLength;
  });
  await shown.goto("/");
  await shown.getByText("Pods running").waitFor();
  await shown.waitForLoadState("load");
  t.diagnostic(`first load: ${Math.round(bytes / 1_000)} kB`);
  assert.ok(bytes > 50_000 && bytes < MOST_BYTES, `${bytes} bytes`);
});
