// What a Pod's page offers to open on a network without names for Pods.

import assert from "node:assert/strict";
import { test } from "node:test";
import { startService } from "../fixtures/service/service.ts";
import { openConsole, skipReason } from "./browser.ts";

const PROXY = "http://192.0.2.1:8701";

test("a page that signs people in is offered through a tunnel where its own address keeps no cookies", {
  skip: skipReason,
}, async (t) => {
  const service = await startService(t, { env: { FREEHOLD_SSH_LISTEN: "127.0.0.1:0" } });
  const env = { JUPYTER_PASSWORD: "pass word" };
  const body = { name: "lab", templateId: "pytorch", env, ports: ["8888/http", "9000/http"] };
  const created = await service.call("POST", "/v1/pods", { ...body, driver: "simulated" });
  assert.equal(created.status, 201, created.text);
  const { id } = created.json;
  const { page } = await openConsole(t, service);
  // The session of a colleague, who reaches the service by its address.
  await page.route("**/v1/session", async (route) => {
    const response = await route.fetch();
    const json = { ...(await response.json()), proxyDomain: null, proxyUrl: PROXY };
    await route.fulfill({ response, json });
  });
  await page.goto(`/pods/${id}`);
  await page.getByText(/^ssh -N -L 8888:localhost:8888 -p \d+ /).waitFor();
  await page.getByText("http://localhost:8888/?token=pass%20word", { exact: true }).waitFor();
  const links = page.getByRole("main").getByRole("link");
  await links.filter({ hasText: "Port 9000" }).waitFor();
  const addresses = await links.evaluateAll((all) => all.map((a) => a.getAttribute("href")));
  assert.deepEqual(
    addresses.filter((address) => address?.startsWith(PROXY)),
    [`${PROXY}/${id}/9000`],
  );
});
