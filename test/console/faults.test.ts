// The console says that faults are on, and switches them off.

import assert from "node:assert/strict";
import { test } from "node:test";
import { startService } from "../fixtures/service/service.ts";
import { openConsole, skipReason } from "./browser.ts";

test("faults that are switched on appear on every page, and can be switched off", {
  skip: skipReason,
}, async (t) => {
  const service = await startService(t);
  const { page, errors } = await openConsole(t, service, { at: "/jobs" });
  await page.getByText("No jobs").first().waitFor();
  assert.equal(await page.getByText("fault on").count(), 0);
  for (const body of [{ name: "webhook-slow", for: "5m" }, { name: "webhook-duplicate" }]) {
    assert.equal((await service.call("POST", "/v1/faults", body)).status, 200);
  }
  await page.getByText("2 faults on: webhook-duplicate, webhook-slow").waitFor();
  await page.getByRole("button", { name: "Show" }).click();
  await page.getByText("Until it is switched off").waitFor();
  await page.getByRole("button", { name: "Switch webhook-duplicate off" }).click();
  await page.getByText("1 fault on: webhook-slow").waitFor();
  await page.getByRole("button", { name: "Switch webhook-slow off" }).click();
  await page.getByText("fault on:").waitFor({ state: "detached" });
  const { json } = await service.call("GET", "/v1/faults");
  assert.ok(json.every(({ active }: { active: unknown }) => active === null));
  assert.deepEqual(errors, []);
});
