// How the console is served: to browsers only, for good where the name says what is in it, and small.

import assert from "node:assert/strict";
import { test } from "node:test";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import type { Page } from "playwright-core";
import { startService, type TestService } from "../fixtures/service/service.ts";
import { openConsole, skipReason } from "./browser.ts";

const MOST_BYTES = 300_000;

const page = { accept: "text/html,application/xhtml+xml", authorization: "" };

async function raw(service: TestService, path: string, headers: Record<string, string>) {
  const { request } = await import("node:http");
  return new Promise<{ status: number; headers: NodeJS.Dict<string | string[]>; body: Buffer }>(
    (resolve, reject) => {
      request(service.origin + path, { headers }, (answer) => {
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

test("console addresses serve the page to browsers, and 404 to programs", async (t) => {
  const service = await startService(t);
  const first = await service.call("GET", "/", undefined, page);
  assert.equal(first.status, 200);
  assert.match(
    first.headers.get("content-security-policy")!,
    /default-src 'none'.*script-src 'self';/,
  );
  assert.equal(first.headers.get("cache-control"), "no-cache");
  for (const path of ["/pods", "/pods/abc/logs", "/billing?from=1", "/sign-in"]) {
    assert.equal((await service.call("GET", path, undefined, page)).text, first.text, path);
    const program = await service.call("GET", path, undefined, { authorization: "" });
    assert.deepEqual([program.status, program.json.code], [404, "route_not_found"], path);
  }
  for (const path of ["/v1/nothing", "/v2/nothing", "/nothing", "/assets"]) {
    const browser = await service.call("GET", path, undefined, page);
    assert.deepEqual([browser.status, browser.text], [404, first.text], path);
    const program = await service.call("GET", path, undefined, { authorization: "" });
    assert.deepEqual([program.status, program.json.code], [404, "route_not_found"], path);
  }
  const wrongMethod = await service.call("GET", "/v2/first/run", undefined, page);
  assert.equal(wrongMethod.json.code, "method_not_allowed");
  const known = { ...page, "if-none-match": first.headers.get("etag")! };
  assert.equal((await service.call("GET", "/", undefined, known)).status, 304);
});

test("console files are compressed, and cached permanently", async (t) => {
  const service = await startService(t);
  const { text } = await service.call("GET", "/", undefined, page);
  const [script] = /\/assets\/[\w-]+\.js/.exec(text)!;
  const plain = await raw(service, script, {});
  const gzip = await raw(service, script, { "accept-encoding": "gzip" });
  const br = await raw(service, script, { "accept-encoding": "gzip, deflate, br" });
  assert.deepEqual(
    [gzip.headers["content-encoding"], br.headers["content-encoding"]],
    ["gzip", "br"],
  );
  assert.deepEqual(gunzipSync(gzip.body), plain.body);
  assert.deepEqual(brotliDecompressSync(br.body), plain.body);
  assert.match(`${br.headers["cache-control"]}`, /immutable/);
  for (const name of ["nothing.js", "..%2findex.html", "index.html", ".js", "built-from"]) {
    const answer = await service.call("GET", `/assets/${name}`, undefined, page);
    assert.equal(answer.status, 404, name);
  }
});

test("the first page takes less than 300 kB and is soon interactive", {
  skip: skipReason,
}, async (t) => {
  const service = await startService(t);
  const { page: shown, context } = await openConsole(t, service, {
    at: "about:blank",
    direct: true,
  });
  const session = await context.newCDPSession(shown);
  await session.send("Network.enable");
  // What others on this machine compute meanwhile is not in it.
  await session.send("Performance.enable", { timeDomain: "threadTicks" });
  let bytes = 0;
  session.on("Network.loadingFinished", ({ encodedDataLength }) => {
    bytes += encodedDataLength;
  });
  await shown.addInitScript(NOTE_FIRST_CONTENT);
  await shown.goto("/");
  await shown.getByText("of 0 Pods").waitFor();
  await shown.evaluate("document.fonts.ready.then(() => {})");
  const { metrics } = await session.send("Performance.getMetrics");
  const busy = metrics.find(({ name }) => name === "TaskDuration")!.value;
  t.diagnostic(
    `first load: ${Math.round(bytes / 1_000)} kB, ${Math.round(busy * 1_000)} ms of the page's own computing`,
  );
  assert.ok(bytes > 50_000 && bytes < MOST_BYTES, `${bytes} bytes`);
  t.diagnostic(`at the first visit: ${await interactive(shown)}`);
  await shown.goto("/");
  t.diagnostic(`at a later one: ${await interactive(shown)}`);
});

/** When what the first page says of the account is there, in ms since it was asked for. */
const NOTE_FIRST_CONTENT = `window.firstContent = new Promise((resolve) => {
  const look = () => {
    if (document.body?.textContent.includes("of 0 Pods")) resolve(performance.now());
    else requestAnimationFrame(look);
  };
  look();
})`;

/** And how long it takes from a click until the page behind it is there with what it lists, painted. */
const CLICK = `(async () => {
  const content = await window.firstContent;
  const link = [...document.querySelectorAll("nav a")].find((a) => a.textContent === "Pods");
  const clicked = performance.now();
  link.click();
  while (!document.body.textContent.includes("No Pods yet")) await new Promise(requestAnimationFrame);
  await new Promise(requestAnimationFrame);
  return [content, performance.now() - clicked];
})()`;

async function interactive(page: Page): Promise<string> {
  const [content, click] = await clicked(page);
  return `shown ${Math.round(content)} ms after it was asked for, a click answered in ${Math.round(click)} ms`;
}

/** Tests of containers change the machine's networks: a request that this ends makes the router load the page anew. */
async function clicked(page: Page): Promise<[content: number, click: number]> {
  for (;;) {
    try {
      return await page.evaluate<[number, number]>(CLICK);
    } catch (error) {
      if (!/context was destroyed/.test(`${error}`)) throw error;
      await page.goto("/");
    }
  }
}
