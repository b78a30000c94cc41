// Jobs and endpoints: a first job with its output and its worker's log, bulk actions, and an endpoint's life.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { test } from "node:test";
import { startService } from "../fixtures/service/service.ts";
import { openConsole, skipReason } from "./browser.ts";

const body = (name: string) => JSON.stringify({ input: { name } });

test("a job runs, and links lead to its output and log", {
  skip: skipReason,
}, async (t) => {
  const service = await startService(t, { drivers: "process" });
  const { page, errors: complaints } = await openConsole(t, service);
  await page.getByRole("link", { name: "Endpoints" }).click();
  await page.getByRole("link", { name: "hello" }).click();
  await page.getByRole("link", { name: "Request" }).click();
  await page.getByLabel("Body").fill('{ "input": ');
  await page.getByText("Invalid JSON").waitFor();
  assert.ok(await page.getByRole("button", { name: "Send" }).isDisabled());
  await page.getByLabel("Body").fill(body("browser"));
  await page.getByRole("button", { name: "Send" }).click();
  await page.getByText("Hello, browser!").waitFor({ timeout: 60_000 });
  await page.getByText("View worker log").click();
  await page.getByRole("log").getByText("takes jobs").waitFor({ timeout: 60_000 });
  await page.getByLabel("Search the log").fill("takes jobs");
  await page.getByText("1 line found").waitFor();
  assert.deepEqual(complaints, []);
});

test("new jobs appear, and several are cancelled at once", { skip: skipReason }, async (t) => {
  const service = await startService(t);
  await service.makeEndpoint({ id: "imaging" });
  const { page, errors: complaints } = await openConsole(t, service, {
    at: "/serverless/imaging/jobs",
  });
  await page.getByText("No jobs yet").waitFor();
  const ids: string[] = [];
  for (const name of ["first", "second"]) {
    ids.push((await service.call("POST", "/v2/imaging/run", body(name))).json.id);
  }
  for (const id of ids) await page.getByLabel(`Select job ${id}`).click();
  await page.getByRole("button", { name: "Cancel 2" }).click();
  await page.getByText("2 jobs cancelled").first().waitFor();
  await page.getByText("Cancelled").nth(1).waitFor();
  const { json } = await service.call("GET", "/v1/jobs?status=CANCELLED");
  assert.equal(json.length, 2);
  assert.deepEqual(complaints, []);
});

const HANDLER_ERROR = JSON.stringify({
  error_type: "<class 'KeyError'>",
  error_message: "'prompt'",
  error_traceback: 'Traceback (most recent call last):\n  File "handler.py", line 4',
});

test("a failed job's page shows its error, and its input is edited and run again", {
  skip: skipReason,
}, async (t) => {
  const service = await startService(t);
  await service.makeEndpoint({ id: "imaging" });
  const worker = await service.makeWorker("imaging");
  const { id } = (await service.call("POST", "/v2/imaging/run", body("first"))).json;
  await worker.call("job-take");
  const { page, errors: complaints } = await openConsole(t, service, { at: `/jobs/${id}` });
  await page.getByText("Running", { exact: true }).waitFor();
  await worker.call(
    `job-done/${id}`,
    "",
    JSON.stringify({ status: "IN_PROGRESS", output: "half" }),
  );
  await page.getByText("Progress", { exact: true }).waitFor();
  await worker.call(`job-done/${id}`, "", JSON.stringify({ error: HANDLER_ERROR }));
  await page.getByRole("heading", { name: "KeyError" }).waitFor();
  await page.locator("pre", { hasText: "line 4" }).waitFor();
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.getByRole("button", { name: "Copy the request" }).click();
  await page.getByRole("menuitem", { name: "Copy as Python" }).click();
  await page.getByText("Copied as Python").first().waitFor();
  await page.getByRole("link", { name: "Edit and run again" }).click();
  assert.deepEqual(JSON.parse(await page.getByLabel("Body").inputValue()), {
    input: { name: "first" },
  });
  await page.getByLabel("Body").fill(body("second"));
  await page.getByText("Run", { exact: true }).click();
  await page.getByRole("button", { name: "Send" }).click();
  await page.getByText("Queued", { exact: true }).first().waitFor();
  const [latest] = (await service.call("GET", "/v1/jobs?limit=1")).json;
  const { json: again } = await service.call("GET", `/v1/jobs/${latest.id}`);
  assert.deepEqual(again.input, { name: "second" });
  assert.deepEqual(complaints, []);
});

test("a job's page shows its stream while it comes, and each try of its webhook", {
  skip: skipReason,
}, async (t) => {
  const statuses = [500, 200];
  const receiver = createServer((request, response) => {
    request.resume();
    response.writeHead(statuses.shift() ?? 200).end();
  });
  await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve));
  t.after(() => receiver.close());
  const { port } = receiver.address() as AddressInfo;
  const service = await startService(t, { protocol: { webhookBackoffMs: [200] } });
  await service.makeEndpoint({ id: "chat" });
  const worker = await service.makeWorker("chat");
  const webhook = `http://127.0.0.1:${port}/`;
  const { id } = (await service.call("POST", "/v2/chat/run", { input: {}, webhook })).json;
  await worker.call("job-take");
  const { page, errors: complaints } = await openConsole(t, service, { at: `/jobs/${id}` });
  await page.getByText("Running", { exact: true }).waitFor();
  const stream = page.getByRole("region", { name: "Stream" });
  await worker.call(`job-stream/${id}`, "", '{"output":"Once "}');
  await stream.getByText("Once", { exact: true }).waitFor();
  await worker.call(`job-stream/${id}`, "", '{"output":"upon a time"}');
  await stream.getByText("Once upon a time", { exact: true }).waitFor();
  await page.getByText("2 chunks", { exact: true }).waitFor();
  const { json: first } = await service.call("GET", `/v2/chat/stream/${id}?format=envelope`);
  assert.equal(first.stream.length, 2, "the job's client still gets every chunk");
  await worker.call(`job-done/${id}`, "", JSON.stringify({ output: "done" }));
  const timeline = page.getByRole("list", { name: "Timeline" });
  await timeline.getByText("Webhook 1 delivered").waitFor();
  await timeline.getByRole("img", { name: /Webhook try 1: HTTP 500 after/ }).waitFor();
  await timeline.getByRole("img", { name: /Webhook try 2: HTTP 200 after/ }).waitFor();
  await page.reload();
  await stream.getByText("Once upon a time", { exact: true }).waitFor();
  assert.deepEqual(complaints, []);
});

test("a job that waited for a worker shows the parts of its start below the wait", {
  skip: skipReason,
}, async (t) => {
  const service = await startService(t, { drivers: "simulated" });
  const dockerStartCmd = ["simulate", "--pull-ms", "300", "--start-ms", "200"];
  await service.makeEndpoint({ id: "cold", template: { driver: "simulated", dockerStartCmd } });
  const { json: job } = await service.call("POST", "/v2/cold/runsync?wait=60000", { input: {} });
  assert.equal(job.status, "COMPLETED");
  const { page, errors: complaints } = await openConsole(t, service, { at: `/jobs/${job.id}` });
  const timeline = page.getByRole("list", { name: "Timeline" });
  const names = timeline.locator("li > span:first-child");
  await timeline.getByText("Image pull").waitFor();
  assert.deepEqual(await names.allTextContents(), [
    "Queued",
    "Scheduling",
    "Image pull",
    "Container start",
    "Import and load",
    "Worker ready",
    "Execution",
  ]);
  const [root] = page.url().split("/jobs/");
  await page.goto(`${root}/workers/${job.workerId}`);
  await page.getByText("Image pull").waitFor();
  // What is simulated says so on every page that shows it.
  const { json: machines } = await service.call("GET", "/v1/machines");
  const pages = ["/serverless/cold/workers", "/", "/machines", `/machines/${machines[0].id}`];
  for (const path of [`/workers/${job.workerId}`, ...pages]) {
    await page.goto(`${root}${path}`);
    await page.getByText("Simulated", { exact: true }).waitFor();
  }
  assert.deepEqual(complaints, []);
});

test("jobs are filtered, and the address holds the filter", { skip: skipReason }, async (t) => {
  const service = await startService(t);
  await service.makeEndpoint({ id: "imaging" });
  await service.makeEndpoint({ id: "speech" });
  const worker = await service.makeWorker("imaging");
  const submit = async (endpoint: string, name: string) =>
    (await service.call("POST", `/v2/${endpoint}/run`, body(name))).json.id as string;
  const failed = await submit("imaging", "broken");
  await worker.call("job-take");
  await worker.call(`job-done/${failed}`, "", JSON.stringify({ error: HANDLER_ERROR }));
  const waiting = await submit("speech", "spoken");
  const { page, errors: complaints } = await openConsole(t, service, { at: "/jobs" });
  await page.getByText("KeyError: 'prompt'").waitFor();
  await page.getByText('{"name":"spoken"}').waitFor();
  await page.getByLabel("Status").selectOption("FAILED");
  await page.getByText(waiting).waitFor({ state: "detached" });
  await page.getByLabel("Error", { exact: true }).fill("keyerror");
  await page.waitForURL(/status=FAILED.*error=keyerror/);
  await page.getByText(failed).waitFor();
  await page.reload();
  await page.getByText(failed).waitFor();
  assert.equal(await page.getByLabel("Error", { exact: true }).inputValue(), "keyerror");
  await page.getByLabel("Error", { exact: true }).fill("nothing like it");
  await page.getByText("No jobs match the filters").waitFor();
  await page.getByRole("button", { name: "Clear filters" }).click();
  await page.getByText(waiting).waitFor();
  await page.getByLabel("Endpoint", { exact: true }).selectOption("speech");
  await page.getByText(failed).waitFor({ state: "detached" });
  await page.getByLabel("Endpoint", { exact: true }).selectOption("");
  await page.getByLabel("Job ID").fill(failed.slice(0, 12));
  await page.getByText(waiting).waitFor({ state: "detached" });
  await page.getByText(failed).waitFor();
  assert.deepEqual(complaints, []);
});

test("all jobs that match a filter are retried, cancelled and exported", {
  skip: skipReason,
}, async (t) => {
  const service = await startService(t);
  await service.makeEndpoint({ id: "imaging" });
  const worker = await service.makeWorker("imaging");
  const submit = async (name: string) =>
    (await service.call("POST", "/v2/imaging/run", body(name))).json.id as string;
  const failed = [await submit("a"), await submit("b"), await submit("c")];
  for (const id of failed) {
    await worker.call("job-take");
    await worker.call(`job-done/${id}`, "", JSON.stringify({ error: HANDLER_ERROR }));
  }
  const { page, errors: complaints } = await openConsole(t, service, { at: "/jobs?status=FAILED" });
  await page.getByText(failed[0]!).waitFor();
  await page.getByLabel("Select all jobs that match").check();
  const download = page.waitForEvent("download");
  await page.getByRole("link", { name: "Export CSV" }).click();
  const csv = readFileSync(await (await download).path(), "utf8");
  assert.deepEqual(
    csv.split("\r\n").map((line) => line.split(",")[0]),
    ["id", ...failed, ""],
  );
  await page.getByRole("button", { name: "Retry all" }).click();
  await page.getByRole("button", { name: "Retry jobs" }).click();
  await page.getByText("Retried 3 jobs").waitFor();
  await page.getByText("status FAILED").waitFor();
  await page.getByRole("button", { name: "Clear filters" }).click();
  await page.getByLabel(`Select job ${failed[0]}`).check();
  await page.getByRole("button", { name: "Select all that match" }).click();
  await page.getByRole("button", { name: "Cancel all" }).click();
  await page.getByRole("button", { name: "Cancel jobs" }).click();
  await page.getByText("Cancelled 3 jobs").waitFor();
  await page.getByLabel("Status", { exact: true }).selectOption("CANCELLED");
  await page.getByText(failed[2]!).waitFor();
  assert.deepEqual(complaints, []);
});

test("an endpoint is created from an image, edited and deleted", {
  skip: skipReason,
}, async (t) => {
  const service = await startService(t);
  const { page, errors: complaints } = await openConsole(t, service, { at: "/serverless/new" });
  await page.getByLabel("Name").fill("painter");
  await page.getByLabel("Image").fill("ghcr.io/acme/painter:1.0");
  await page.getByLabel("RTX 4090").click();
  await page.getByLabel("Minimum workers").fill("1");
  await page.getByTestId("price").getByText(/^\$\d/).first().waitFor();
  await page.getByRole("button", { name: "Create endpoint" }).click();
  await page.getByRole("heading", { name: "painter" }).waitFor();
  await page.getByRole("link", { name: "Edit" }).click();
  await page.getByLabel("Maximum workers").fill("7");
  await page.getByText("Retention and retries").click();
  await page.getByLabel("Result retention").fill("120");
  await page.getByLabel("Failure retention").fill("86400");
  await page.getByText("Takes effect immediately").waitFor();
  await page.getByRole("button", { name: "Save changes" }).click();
  await page.getByText("1 to 7").waitFor();
  const [created] = (await service.call("GET", "/v1/endpoints")).json.filter(
    ({ name }: { name: string }) => name === "painter",
  );
  assert.deepEqual([created.workersMin, created.workersMax, created.version], [1, 7, 1]);
  const { resultRetentionMs, failureRetentionMs } = created;
  assert.deepEqual([resultRetentionMs, failureRetentionMs], [120_000, 86_400_000]);
  await page.getByLabel("Actions for painter").click();
  await page.getByText("Delete endpoint").click();
  await page.getByLabel("Type painter to confirm").fill("painter");
  await page.getByRole("button", { name: "Delete endpoint" }).click();
  await page.getByText("Endpoint painter deleted").first().waitFor();
  assert.equal((await service.call("GET", `/v1/endpoints/${created.id}`)).status, 404);
  assert.deepEqual(complaints, []);
});
