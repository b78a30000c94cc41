// The page of notifications: a rule is made, tested, changed, and its message sent again.

import assert from "node:assert/strict";
import { test } from "node:test";
import { startService } from "../fixtures/service/service.ts";
import { startReceiver } from "../webhook/receiver.ts";
import { openConsole, skipReason } from "./browser.ts";

test("a rule is made in the form, tested, and its message is sent again", {
  skip: skipReason,
}, async (t) => {
  const service = await startService(t);
  const receiver = await startReceiver(t, [500, 200]);
  await service.makeEndpoint({ id: "imaging" });
  await service.makeEndpoint({ id: "speech" });
  const { page, errors: complaints } = await openConsole(t, service, { at: "/notifications" });
  await page.getByRole("button", { name: "New rule" }).first().click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name").fill("On call");
  await dialog.getByLabel("Jobs of an endpoint fail").click();
  await dialog.getByLabel("Failed jobs, at least").fill("3");
  await dialog.getByLabel("Restrict to selected endpoints").check();
  await dialog.getByRole("button", { name: "Create rule" }).click();
  await dialog.getByText("Select at least one endpoint.").waitFor();
  await dialog.getByLabel("speech").check();
  await dialog.getByText("Enter the receiver's address.").waitFor();
  await dialog.getByLabel("URL").fill(receiver.url);
  await dialog.getByRole("button", { name: "Create rule" }).click();
  const menu = page.getByRole("button", { name: "Actions for On call" });
  await menu.click();
  await page.getByRole("menuitem", { name: "Send a test" }).click();
  await page.getByText("HTTP 500").waitFor();
  await page.getByText("Failed", { exact: true }).waitFor();
  await page.getByRole("button", { name: "Redeliver" }).click();
  await page.getByText("HTTP 200").waitFor();
  assert.equal(receiver.received.length, 2);
  await menu.click();
  await page.getByRole("menuitem", { name: "Disable" }).click();
  await page.getByText("Disabled", { exact: true }).waitFor();
  const [rule] = (await service.call("GET", "/v1/notification-rules")).json;
  assert.deepEqual(rule.events, ["pod_ended", "jobs_failing"]);
  assert.deepEqual([rule.endpointIds, rule.podIds], [["speech"], []]);
  assert.deepEqual(rule.failures, { count: 3, windowMinutes: 10 });
  assert.equal(rule.enabled, false);
  assert.deepEqual(complaints, []);
});
