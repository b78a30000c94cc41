// An endpoint's pages: a request is sent, followed and cancelled, and releases are compared.

import assert from "node:assert/strict";
import { test } from "node:test";
import { startService } from "../fixtures/service/service.ts";
import { openConsole, skipReason } from "./browser.ts";

test("a request that waits shows its id, clock and reason, and is cancelled", {
  skip: skipReason,
}, async (t) => {
  const service = await startService(t);
  await service.makeEndpoint({ id: "imaging" });
  const { page, errors: complaints } = await openConsole(t, service, {
    at: "/serverless/imaging/request",
  });
  await page.getByText("Advanced").click();
  await page.getByLabel("Priority").fill("5");
  await page.getByLabel("Time to live in seconds").fill("3600");
  await page.getByLabel("Attempts").fill("2");
  await page.getByRole("button", { name: "Send" }).click();
  await page.getByRole("timer").waitFor();
  await page.getByRole("note").waitFor();
  const { json: jobs } = await service.call("GET", "/v1/jobs?endpointId=imaging");
  const [{ id }] = jobs;
  await page.getByRole("link", { name: id, exact: true }).first().waitFor();
  const { json: job } = await service.call("GET", `/v1/jobs/${id}`);
  assert.partialDeepStrictEqual(job, { priority: 5, sync: true });
  await page.getByRole("button", { name: "Cancel job" }).click();
  await page.getByRole("list", { name: "Recent jobs" }).getByText("Cancelled").waitFor();
  await page.getByRole("timer").waitFor({ state: "detached" });

  await page.getByLabel("Body").fill('{ "input": { "other": 1 } }');
  await page.getByRole("link", { name: `Use input of ${id}` }).click();
  await page.waitForURL(`**/request?job=${id}`);
  await page.getByLabel("Body").getByText("world").waitFor();
  assert.deepEqual(complaints, []);
});

test("a release shows its changes from an earlier one", { skip: skipReason }, async (t) => {
  const service = await startService(t);
  const template = { name: "t", imageName: "ghcr.io/acme/painter:1", isServerless: true };
  const { json: first } = await service.call("POST", "/v1/templates", template);
  const { json: endpoint } = await service.call("POST", "/v1/endpoints", {
    ...{ name: "painter", templateId: first.id, workersMax: 0 },
  });
  const change = { imageName: "ghcr.io/acme/painter:2", env: { STEPS: "30" } };
  const changed = await service.call("PATCH", `/v1/templates/${first.id}`, change);
  assert.equal(changed.status, 200, changed.text);
  const at = `/serverless/${endpoint.id}/releases`;
  const { page, errors: complaints } = await openConsole(t, service, { at });
  await page.getByText("Changes from an earlier version").click();
  await page.getByRole("insertion").getByText("ghcr.io/acme/painter:2").waitFor();
  await page.getByRole("deletion").getByText("ghcr.io/acme/painter:1").waitFor();
  await page.getByText("Variable STEPS").waitFor();
  assert.deepEqual(complaints, []);
});
