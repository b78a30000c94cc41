// The overview shows what waits, and why.

import assert from "node:assert/strict";
import { test } from "node:test";
import { startService } from "../fixtures/service/service.ts";
import { openConsole, skipReason } from "./browser.ts";

test("a queue without workers needs attention", { skip: skipReason }, async (t) => {
  const service = await startService(t);
  await service.makeEndpoint({ id: "imaging" });
  const { page, errors: complaints } = await openConsole(t, service);
  await page.getByText("0 queued, 0 running").waitFor();
  assert.equal(await page.getByText("Needs attention").count(), 0);
  for (let n = 0; n < 2; n++) await service.call("POST", "/v2/imaging/run", { input: {} });
  await page.getByText("2 queued, 0 running").waitFor();
  await page.getByText("2 jobs wait").waitFor();
  await page.getByRole("region", { name: "Needs attention" }).getByText("imaging").click();
  await page.getByRole("heading", { name: "Configuration" }).waitFor();
  assert.deepEqual(complaints, []);
});

test("first steps are checked off by what the account has, and stay dismissed", {
  skip: skipReason,
}, async (t) => {
  const service = await startService(t);
  await service.makeEndpoint({ id: "imaging" });
  const { page, errors: complaints } = await openConsole(t, service);
  const steps = page.getByRole("list", { name: "First steps" });
  const step = (text: string) => steps.getByRole("listitem").filter({ hasText: text });
  await step("Done: Add a machine").waitFor();
  for (const text of ["Create an API key", "Run a first job", "Invite people"]) {
    await step(`To do: ${text}`).waitFor();
  }
  await page.getByText("1 of 4 done").waitFor();
  await service.call("POST", "/v1/keys", { name: "dashboard" });
  await step("Done: Create an API key").waitFor();
  await service.call("POST", "/v1/invitations", { email: "ada@example.org", role: "dev" });
  await step("Done: Invite people").waitFor();
  await page.getByRole("button", { name: "Dismiss" }).click();
  await steps.waitFor({ state: "detached" });
  await page.reload();
  await page.getByText("0 queued, 0 running").waitFor();
  assert.equal(await steps.count(), 0);

  const { page: other } = await openConsole(t, service);
  await other.getByText("3 of 4 done").waitFor();
  const worker = await service.makeWorker("imaging");
  await service.call("POST", "/v2/imaging/run", { input: {} });
  const { json: job } = await worker.call("job-take");
  await worker.call(`job-done/${job.id}`, "", JSON.stringify({ output: 1 }));
  await other.getByText("Get started").waitFor({ state: "detached" });
  assert.deepEqual(complaints, []);
});
