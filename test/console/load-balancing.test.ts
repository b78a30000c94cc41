// A load-balancing endpoint in the console and at the command line: its form, its address and what it answered.

import assert from "node:assert/strict";
import { test } from "node:test";
import { call, createEndpoint, startBalancing, untilReady } from "../balancer/fixture.ts";
import { freehold } from "../cli/command.ts";
import { until } from "../fixtures/until.ts";
import { openConsole, skipReason } from "./browser.ts";

test("a load-balancing endpoint is created, shows its address and its answers, and has no jobs", {
  skip: skipReason,
}, async (t) => {
  const service = await startBalancing(t);
  const { page, errors } = await openConsole(t, service, { at: "/serverless/new" });
  await page.getByRole("radio", { name: "Load balancing" }).click();
  await page.getByLabel("Display name").fill("chat");
  await page.getByLabel("Image").fill("example/server");
  await page.getByLabel("Start command").fill("node server.mjs");
  await page.getByLabel("Port").fill("9000");
  await page.getByLabel("Health check path").fill("/healthz");
  assert.equal(await page.getByText("Retention and retries").count(), 0);
  await page.getByRole("button", { name: "Create endpoint" }).click();
  await page.getByRole("heading", { name: "chat" }).waitFor();
  const [chat] = (await service.call("GET", "/v1/endpoints?includeTemplate=true")).json.filter(
    ({ name }: { name: string }) => name === "chat",
  );
  assert.deepEqual([chat.type, chat.scalerType], ["LB", "REQUEST_COUNT"]);
  assert.deepEqual(chat.template.env, { PORT: "9000", HEALTH_CHECK_PATH: "/healthz" });

  const { id, requestUrls } = await createEndpoint(service);
  const data = ["--data", service.dataFolder];
  const waiting = freehold(["wait", id, ...data]);
  assert.equal((await call(service, id)).status, 200);
  await untilReady(service, id, 1);
  assert.match((await waiting).stdout, new RegExp(`answers at ${requestUrls.base}$`, "m"));
  const run = await freehold(["run", id, ...data]);
  assert.match(run.stderr, new RegExp(`takes no jobs; send requests to ${requestUrls.base}$`, "m"));
  assert.match((await freehold(["endpoints", "get", id, ...data])).stdout, /^requestUrl: http/m);

  await until(async () => {
    const { json } = await service.call("GET", `/v1/endpoints/${id}/history`);
    const last = json.find(({ statuses }: { statuses: object }) => "2xx" in statuses);
    return last?.execution !== null && last?.delay !== null && last?.statuses["2xx"] === 1;
  });
  await page.goto(`/serverless/${id}`);
  await page.getByText(requestUrls.base, { exact: true }).waitFor();
  await page.getByText("1 2xx").waitFor();
  await page.getByRole("heading", { name: "Time to first byte" }).waitFor();
  const tabs = page.getByRole("navigation", { name: "Pages of model" }).getByRole("link");
  assert.deepEqual(await tabs.allTextContents(), ["Overview", "Request", "Workers", "Releases"]);
  await page.getByRole("link", { name: "Try it" }).click();
  await page.getByText(`curl -N ${requestUrls.base}/`).waitFor();
  await page.getByLabel("Method").selectOption("POST");
  await page.getByLabel("Path").fill("/v1/chat/completions");
  await page.getByLabel("Headers").fill("no colon");
  await page.getByLabel("Body").fill('{"stream": true, "messages": [{"content": "one two"}]}');
  await page.getByRole("button", { name: "Send" }).click();
  await page.getByText('"no colon" is not a name, a colon and a value.').waitFor();
  await page.getByLabel("Headers").fill("X-Case: Kept");
  await page.getByRole("button", { name: "Send" }).click();
  await page.getByText("Status 200").waitFor();
  const body = page.getByRole("region", { name: "Body" });
  await body.getByText("[DONE]").waitFor();
  assert.match((await body.textContent())!, /one .*two /s);
  await page.getByLabel("Method").selectOption("GET");
  await page.getByLabel("Path").fill("/echo?é=9007199254740993");
  await page.getByRole("button", { name: "Send" }).click();
  await body.getByText('"url": "/echo?%C3%A9=9007199254740993"').waitFor();
  assert.deepEqual(errors, []);
});
