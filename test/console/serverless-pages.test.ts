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
  await page
    .getByRole("note")
    .getByText(/^Queued for /)
    .waitFor();
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

  // A new request begins with the newest input, and an exception is shown as on the page of its job.
  const worker = await service.makeWorker("imaging");
  await service.call("POST", "/v2/imaging/run", { input: { prompt: "A hill" } });
  await page.goto("/serverless/imaging/request");
  await page.getByLabel("Body").getByText("A hill").waitFor();
  await page.getByRole("radio", { name: "Run", exact: true }).click();
  const { json: waiting } = await worker.call("job-take");
  await worker.call(`job-done/${waiting.id}`, "", JSON.stringify({ output: 1 }));
  await page.getByRole("button", { name: "Send" }).click();
  await page.getByRole("timer").waitFor();
  const { json: taken } = await worker.call("job-take");
  const raised = { error_type: "<class 'KeyError'>", error_message: "'prompt'" };
  const failure = JSON.stringify({ error: JSON.stringify(raised) });
  await worker.call(`job-done/${taken.id}`, "", failure);
  await page.getByText("KeyError: 'prompt'").waitFor();
  await page.getByRole("link", { name: "Releases" }).click();
  await page.getByText("No earlier releases yet").waitFor();
  assert.deepEqual(complaints, []);
});

test("a release shows its changes from an earlier one", { skip: skipReason }, async (t) => {
  const service = await startService(t);
  const template = { name: "t", imageName: "ghcr.io/acme/painter:1", isServerless: true };
  const { json: first } = await service.call("POST", "/v1/templates", template);
  const { json: endpoint } = await service.call("POST", "/v1/endpoints", {
    name: "painter",
    templateId: first.id,
    workersMax: 0,
  });
  const change = { imageName: "ghcr.io/acme/painter:2", env: { STEPS: "30" } };
  const changed = await service.call("PATCH", `/v1/templates/${first.id}`, change);
  assert.equal(changed.status, 200, changed.text);
  // The third release differs from the second in its disk only.
  await service.call("PATCH", `/v1/templates/${first.id}`, { containerDiskInGb: 25 });
  const at = `/serverless/${endpoint.id}/releases`;
  const { page, errors: complaints } = await openConsole(t, service, { at });
  await page.getByRole("button", { name: "Roll back to version 2" }).waitFor();
  await page.getByText("Changes from an earlier version").last().click();
  await page.getByRole("insertion").getByText("ghcr.io/acme/painter:2").waitFor();
  await page.getByRole("deletion").getByText("ghcr.io/acme/painter:1").waitFor();
  await page.getByText("Variable STEPS").waitFor();

  await page.getByRole("button", { name: "Roll back to version 1" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("insertion").getByText("ghcr.io/acme/painter:1").waitFor();
  await dialog.getByRole("button", { name: "Roll back" }).click();
  await page.getByText("rolled back to version 1").waitFor();
  await page.getByRole("button", { name: "Roll back to version 3" }).waitFor();
  assert.equal(await page.getByRole("button", { name: /^Roll back to/ }).count(), 2);
  assert.deepEqual(complaints, []);
});

test("an endpoint's retry policy and retention are edited and read back", {
  skip: skipReason,
}, async (t) => {
  const service = await startService(t);
  await service.makeEndpoint({ id: "imaging" });
  const { page, errors: complaints } = await openConsole(t, service, {
    at: "/serverless/imaging/edit",
  });
  const open = () => page.getByText("Retention and retries").click();
  await open();
  await page.getByLabel("Dead-letter retention").fill("36");
  await page.getByLabel("Retry policy").click();
  await page.getByLabel("Handler error").click();
  await page.getByLabel("Quarantine after").fill("2");
  await page.getByLabel("Jitter").click();
  await page.getByLabel("Longest pause").fill("60");
  await page.getByLabel("Attempts").fill("0");
  await page.getByRole("button", { name: "Save changes" }).click();
  await page.getByText("Must be at least 1").waitFor();
  await page.getByLabel("Attempts").fill("5");
  await page.getByText("Takes effect immediately").waitFor();
  await page.getByRole("button", { name: "Save changes" }).click();
  await page.getByText("Up to 5 attempts").waitFor();
  const { json: endpoint } = await service.call("GET", "/v1/endpoints/imaging");
  assert.equal(endpoint.deadLetterRetentionMs, 36 * 3_600_000);
  assert.deepEqual(endpoint.retryPolicy, {
    maxAttempts: 5,
    on: ["workerLost", "outOfMemory", "timeout"],
    delay: 5,
    factor: 2,
    maxDelay: 60,
    jitter: true,
    quarantineAfter: 2,
  });

  await page.goto("/serverless/imaging/edit");
  await open();
  assert.equal(await page.getByLabel("Dead-letter retention").inputValue(), "36");
  assert.equal(await page.getByLabel("Quarantine after").inputValue(), "2");
  assert.equal(await page.getByLabel("Jitter").isChecked(), true);
  assert.equal(await page.getByLabel("Handler error").isChecked(), false);
  await page.getByLabel("Retry policy").click();
  await page.getByRole("button", { name: "Save changes" }).click();
  await page.getByText("Once after a lost worker").waitFor();
  const { json: reset } = await service.call("GET", "/v1/endpoints/imaging");
  assert.equal(reset.retryPolicy, undefined);
  assert.deepEqual(complaints, []);
});

test("the list of endpoints shows errors, execution time and jobs with one request", {
  skip: skipReason,
}, async (t) => {
  const service = await startService(t);
  await service.makeEndpoint({ id: "imaging" });
  await service.makeEndpoint({ id: "idle" });
  const worker = await service.makeWorker("imaging");
  for (const body of [{ output: 1 }, { output: 2 }, { output: 3 }, { error: "no" }]) {
    await service.call("POST", "/v2/imaging/run", { input: {} });
    const { json: job } = await worker.call("job-take");
    await worker.call(`job-done/${job.id}`, "", JSON.stringify(body));
  }
  const { page, errors: complaints } = await openConsole(t, service, { at: "/settings" });
  const requests: string[] = [];
  page.on("request", (request) => requests.push(new URL(request.url()).pathname));
  await page.getByRole("link", { name: "Endpoints" }).click();
  const row = (name: string) => page.getByRole("row").filter({ hasText: name });
  const bars = row("imaging").getByRole("img", {
    name: "3 completed, 1 failed in the last 6 hours",
  });
  await bars.waitFor();
  // The last bar is not cut off.
  const hidden = await bars.evaluate(
    (svg) => svg.parentElement.scrollWidth - svg.parentElement.clientWidth,
  );
  assert.equal(hidden, 0);
  await row("imaging").getByText("25%").waitFor();
  await row("imaging")
    .getByText(/^\d+ ms$/)
    .waitFor();
  await row("idle").getByText("–").first().waitFor();
  assert.equal(requests.filter((path) => path === "/v1/endpoint-activity").length, 1);
  assert.equal(requests.filter((path) => /\/(?:cost|history)$/.test(path)).length, 0);
  assert.deepEqual(complaints, []);
});
