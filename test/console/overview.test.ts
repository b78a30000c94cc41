// The overview shows what waits, and why.

import assert from "node:assert/strict";
import { test } from "node:test";
import { startService } from "../fixtures/service/service.ts";
import { until } from "../fixtures/until.ts";
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

test("a service that answers late is said, with a retry", { skip: skipReason }, async (t) => {
  const service = await startService(t);
  const { page, errors: complaints } = await openConsole(t, service);
  await page.getByRole("heading", { name: "Overview" }).waitFor();
  let answer = (_: unknown) => {};
  const answered = new Promise((resolve) => {
    answer = resolve;
  });
  await page.route("**/v1/session", async (route) => {
    await answered;
    await route.continue();
  });
  await page.reload();
  await page.getByText("Freehold has not answered yet").waitFor();
  assert.equal(await page.getByText("Freehold", { exact: true }).first().isVisible(), true);
  answer(null);
  await page.getByRole("heading", { name: "Overview" }).waitFor();

  let reads = 0;
  await page.route("**/v1/templates?*", (route) => {
    if (reads++ > 0) void route.continue(); // the first one is never answered
  });
  await page.getByRole("link", { name: "Templates" }).click();
  await page.getByText("Freehold is slow to answer.").waitFor();
  await page.getByRole("button", { name: "Try again" }).click();
  await page.getByText("Freehold is slow to answer.").waitFor({ state: "detached" });
  assert.deepEqual(complaints, []);
});

test("a lost service is said, and pages go on by themselves with what was typed", {
  skip: skipReason,
}, async (t) => {
  const service = await startService(t);
  const { page, context } = await openConsole(t, service, { at: "/secrets" });
  await page.getByRole("button", { name: "New secret" }).first().click();
  await page.getByRole("textbox", { name: "Name" }).fill("hf_token");
  const other = await context.newPage();
  await other.goto("/secrets");
  await other.getByText("No secrets yet").waitFor();
  const { host } = new URL(service.origin);
  await service.stop();
  await page.getByText("Cannot reach Freehold. The page may be out of date.").waitFor();
  // The code of this page was not loaded before.
  await other.getByRole("link", { name: "Registries" }).click();
  await other.getByText("Cannot reach Freehold. The page may be out of date.").waitFor();
  await startService(t, { dataFolder: service.dataFolder, listen: host });
  await other.getByRole("heading", { name: "Registry credentials", level: 1 }).waitFor();
  await page.getByText("Cannot reach Freehold").waitFor({ state: "detached" });
  await page.getByLabel("Value").fill("hf_abc");
  await page.getByRole("button", { name: "Save secret" }).click();
  await page.getByText("{{ RUNPOD_SECRET_hf_token }}").waitFor();
});

test("a service that hangs is said on a page that is open, and the page goes on by itself", {
  skip: skipReason,
}, async (t) => {
  const service = await startService(t);
  const { page } = await openConsole(t, service, { at: "/secrets" });
  await page.clock.install();
  await page.reload();
  await page.getByText("No secrets yet").waitFor();
  let go = () => {};
  const isResumed = new Promise<void>((resolve) => {
    go = resolve;
  });
  // The stream of events stays open, as it does where the process is stopped.
  await page.route(/\/v1\/(?:sign-in|events)$/, async (route) => {
    await isResumed;
    await route.continue().catch(() => {}); // the page has given up
  });
  const notice = page.getByText("Cannot reach Freehold. The page may be out of date.");
  await until(async () => {
    await page.clock.fastForward(1_000);
    return notice.isVisible();
  });
  go();
  await service.call("POST", "/v1/secrets", { name: "hf_token", value: "hf_abc" });
  await until(async () => {
    await page.clock.fastForward(1_000);
    return !(await notice.isVisible());
  });
  await page.getByText("hf_token").first().waitFor();
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
  assert.equal(await other.getByText("Jobs in the last 24 hours").count(), 0);
  const worker = await service.makeWorker("imaging");
  const finish = async (result: object) => {
    await service.call("POST", "/v2/imaging/run", { input: {} });
    const { json: job } = await worker.call("job-take");
    await worker.call(`job-done/${job.id}`, "", JSON.stringify(result));
  };
  await finish({ output: 1 });
  await other.getByText("Get started").waitFor({ state: "detached" });

  const raised = { error_type: "<class 'KeyError'>", error_message: "'prompt'" };
  await finish({ error: "CUDA out of memory" });
  for (let n = 0; n < 2; n++) await finish({ error: JSON.stringify(raised) });
  const failures = other.getByRole("list", { name: "Recent failures" }).getByRole("listitem");
  await failures.filter({ hasText: "KeyError: 'prompt'" }).filter({ hasText: "2 jobs" }).waitFor();
  assert.equal(await failures.count(), 2);
  // The counts of a page that stays open are read again each minute.
  await other.reload();
  await other.getByText("1 completed, 3 failed").first().waitFor();
  const hours = other.getByRole("list", { name: "Jobs by hour" }).getByRole("listitem");
  assert.ok((await hours.count()) >= 24);
  await hours.last().getByText("1 completed, 3 failed").waitFor();
  await failures.getByText("CUDA out of memory").click();
  await other.getByRole("heading", { name: "Timeline" }).waitFor();
  assert.deepEqual(complaints, []);
});
