// Tests with a hostile Pod's page in a browser with a session: it cannot use the session, neither
// from its own host name nor from another port of the same host.

import assert from "node:assert/strict";
import { test } from "node:test";
import { startService } from "../fixtures/service/service.ts";
import { until } from "../fixtures/until.ts";
import { podsOf } from "../pods/fixture.ts";
import { openConsole, skipReason } from "./browser.ts";

/** The attempts of the page; each reports what it could read. */
const attempts = (origin: string) => `(async () => {
  const ask = (path, options) =>
    fetch(${JSON.stringify(origin)} + path, { credentials: "include", ...options })
      .then(async (answer) => answer.type + " " + answer.status + " " + (await answer.text()))
      .catch((error) => "refused: " + error.message);
  const json = { "content-type": "application/json" };
  const plain = { "content-type": "text/plain" };
  const key = JSON.stringify({ name: "stolen" });
  return [
    await ask("/v1/keys"),
    await ask("/v1/keys", { mode: "no-cors" }),
    await ask("/v1/keys", { method: "POST", headers: json, body: key }),
    await ask("/v1/keys", { method: "POST", headers: plain, body: key, mode: "no-cors" }),
    await ask("/v1/session", { method: "DELETE" }),
    await new Promise((resolve) => {
      const events = new EventSource(${JSON.stringify(origin)} + "/v1/events", { withCredentials: true });
      events.onopen = () => resolve("opened");
      events.onerror = () => resolve("refused");
    }),
    (() => { try { return document.cookie; } catch { return "refused"; } })(),
  ];
})()`;

test("a Pod's page cannot use the console's session", { skip: skipReason }, async (t) => {
  const service = await startService(t, { env: { FREEHOLD_PROXY_LISTEN: "127.0.0.1:0" } });
  const podRequest = { imageName: "i", driver: "simulated", ports: ["8888/http"] };
  const { json: pod } = await service.call("POST", "/v1/pods", podRequest);
  await until(podsOf(service).reached, pod.id);
  const { page } = await openConsole(t, service);
  await page.getByText("Pods running").waitFor();
  const { port } = new URL(service.origin);
  const pages = [
    `http://${pod.id}-8888.proxy.localhost:${port}/`,
    `${service.proxyOrigin}/${pod.id}/8888/`,
  ];
  for (const address of pages) {
    const answer = await page.goto(address);
    assert.equal(answer?.status(), 200, address);
    const results = await page.evaluate<string[]>(attempts(service.origin));
    for (const each of results) {
      assert.match(each, /^(?:opaque 0 |refused.*|)$/, `${address} got ${each}`);
    }
    const { json: keys } = await service.call("GET", "/v1/keys");
    assert.ok(!JSON.stringify(keys).includes("stolen"), address);
    assert.equal((await service.call("GET", "/v1/sessions")).json.length, 1, address);
  }
  await page.goto("/");
  await page.getByText("Pods running").waitFor();
});
