// The page of a hostile Pod, opened in the browser of somebody who is signed in: it can do nothing with
// the session, neither from a name of its own nor from another port of our host.

import assert from "node:assert/strict";
import { test } from "node:test";
import { startHouse } from "../house.ts";
import { podsOf, until } from "../pods/stage.ts";
import { missing, openConsole } from "./browser.ts";

/** All that a page can try; each says what it got to see. */
const tries = (origin: string) => `(async () => {
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

test("nothing of a session is a Pod's", { skip: missing }, async (t) => {
  const house = await startHouse(t, { env: { FREEHOLD_PROXY_LISTEN: "127.0.0.1:0" } });
  const wanted = { imageName: "i", driver: "fake", ports: ["8888/http"] };
  const { json: pod } = await house.call("POST", "/v1/pods", wanted);
  await until(podsOf(house).reached, pod.id);
  const { page } = await openConsole(t, house);
  await page.getByText("Pods running").waitFor();
  const { port } = new URL(house.origin);
  const pages = [
    `http://${pod.id}-8888.proxy.localhost:${port}/`,
    `${house.proxyOrigin}/${pod.id}/8888/`,
  ];
  for (const address of pages) {
    const answer = await page.goto(address);
    assert.equal(answer?.status(), 200, address);
    const got = await page.evaluate<string[]>(tries(house.origin));
    for (const each of got) {
      assert.match(each, /^(?:opaque 0 |refused.*|)$/, `${address} got ${each}`);
    }
    const { json: keys } = await house.call("GET", "/v1/keys");
    assert.ok(!JSON.stringify(keys).includes("stolen"), address);
    assert.equal((await house.call("GET", "/v1/sessions")).json.length, 1, address);
  }
  await page.goto("/");
  await page.getByText("Pods running").waitFor();
});
