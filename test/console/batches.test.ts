// The pages of batches: progress as it happens, the jobs behind each count, a webhook that is called again, and cancellation.

import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { startService, type TestService } from "../fixtures/service/service.ts";
import { until } from "../fixtures/until.ts";
import { startReceiver } from "../webhook/receiver.ts";
import { openConsole, skipReason } from "./browser.ts";

test("a batch is followed to its end, and its webhook is called again", {
  skip: skipReason,
}, async (t) => {
  const receiver = await startReceiver(t, [500, 200]);
  const service = await startImaging(t);
  const worker = await service.makeWorker("imaging");
  const { page, errors } = await openConsole(t, service, { at: "/batches" });
  await page.getByText("No batches yet").waitFor();
  const id = await submit(service, 3, receiver.url);
  const table = page.getByRole("table", { name: "batches" });
  await table.getByText("0 of 3 ended").waitFor();
  const end = async (result: string) => {
    const job = await until(async () => (await worker.call("job-take")).json);
    await worker.call(`job-done/${job.id}`, "", result);
    return job.id as string;
  };
  await end('{"output":1}');
  const failed = await end('{"error":"no luck"}');
  await table.getByText("2 of 3 ended").waitFor();
  await table.getByText("1 failed").waitFor();

  await table.getByRole("link", { name: "Images" }).click();
  await page.getByText("Called when all jobs have ended.").waitFor();
  await page.getByRole("list", { name: "Jobs by status" }).getByText("Failed").click();
  const jobs = page.getByRole("table", { name: "Jobs" });
  await jobs.getByText(failed, { exact: true }).waitFor();
  await until(async () => (await jobs.getByRole("link", { name: /^Item/ }).count()) === 1);
  await page.reload();
  await jobs.getByText(failed, { exact: true }).waitFor();
  assert.equal(await jobs.getByRole("link", { name: /^Item/ }).count(), 1);
  await page.getByRole("button", { name: "Clear filters" }).click();
  await until(async () => (await jobs.getByRole("link", { name: /^Item/ }).count()) === 3);

  await end('{"output":3}');
  await page.getByText("HTTP 500").waitFor();
  const progress = page.getByRole("progressbar", { name: "Progress" });
  assert.equal(await progress.getAttribute("aria-valuenow"), "100");
  assert.equal(await page.getByRole("button", { name: "Cancel batch" }).count(), 0);
  await page.getByRole("button", { name: "Redeliver" }).click();
  await page.getByText("HTTP 200").waitFor();
  assert.equal(receiver.received.length, 2);
  await jobs.getByRole("link", { name: "Item 2" }).click();
  await page.getByRole("link", { name: id }).click();
  await page.getByText("3 of 3 ended").waitFor();
  assert.deepEqual(errors, []);
});

test("a batch is cancelled from an endpoint's page, which a key that only reads cannot do", {
  skip: skipReason,
}, async (t) => {
  const service = await startImaging(t);
  const other = await service.makeEndpoint({ id: "other" });
  const { json: elsewhere } = await service.call("POST", "/v1/batches", {
    endpointId: other,
    items: [{ input: {} }],
  });
  const id = await submit(service, 2);
  const permissions = { rest: "read", graphql: "none", queue: "read" };
  const { json: reader } = await service.call("POST", "/v1/keys", { name: "reader", permissions });
  const { page } = await openConsole(t, service, { at: `/batches/${id}`, key: reader.key });
  await page.getByText("0 of 2 ended").waitFor();
  assert.equal(await page.getByRole("button", { name: "Cancel batch" }).count(), 0);

  const look = { at: "/serverless/imaging/batches", width: 390 };
  const { page: phone, errors } = await openConsole(t, service, look);
  await phone.getByText(id).waitFor();
  assert.equal(await phone.getByText(elsewhere.id).count(), 0);
  await phone.getByRole("table", { name: "batches" }).getByRole("link", { name: "Images" }).click();
  await phone.getByRole("button", { name: "Cancel batch" }).click();
  await phone.getByRole("dialog").getByRole("button", { name: "Cancel jobs" }).click();
  await phone.getByText("2 of 2 ended").waitFor();
  await page.getByText("2 of 2 ended").waitFor();
  const { json } = await service.call("GET", `/v1/batches/${id}`);
  assert.deepEqual([json.status, json.counts.cancelled], ["CANCELLED", 2]);
  await phone.goto("/batches/nothere");
  await phone.getByText("Page not found").waitFor();
  assert.deepEqual(errors, []);
});

async function startImaging(t: TestContext): Promise<TestService> {
  const service = await startService(t, { protocol: { webhookBackoffMs: [] } });
  await service.makeEndpoint({ id: "imaging" });
  await service.call("PATCH", "/v1/endpoints/imaging", { name: "Images" });
  return service;
}

async function submit({ call }: TestService, jobs: number, webhook?: string): Promise<string> {
  const items = Array.from({ length: jobs }, (_, n) => ({ input: { n } }));
  const body = { endpointId: "imaging", items, ...(webhook && { webhook }) };
  return (await call("POST", "/v1/batches", body)).json.id;
}
