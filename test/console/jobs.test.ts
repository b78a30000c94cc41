// Jobs and endpoints: a first job with its output and its worker's log, bulk actions, and an endpoint's life.

import assert from "node:assert/strict";
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
