// The resources of an account: created and removed on pages, with secrets shown once.

import assert from "node:assert/strict";
import { test } from "node:test";
import { startService } from "../fixtures/service/service.ts";
import { openConsole, openWindow, skipReason } from "./browser.ts";

test("a read-only key is created, used and revoked", { skip: skipReason }, async (t) => {
  const service = await startService(t);
  const { page, errors: complaints } = await openConsole(t, service, { at: "/keys" });
  await page.getByRole("button", { name: "New key" }).click();
  await page.getByLabel("Name").fill("reader");
  await page.getByLabel("REST API").selectOption("read");
  await page.getByLabel("Endpoint queues").selectOption("read");
  await page.getByRole("button", { name: "Create key" }).click();
  const key = (await page.getByRole("dialog").locator("pre").textContent()) ?? "";
  await page.getByRole("button", { name: "Done" }).click();
  await page.getByText("REST read").waitFor();

  const looking = await openConsole(t, service, { at: "/secrets", key });
  await looking.page.getByText("No secrets yet").waitFor();
  assert.equal(await looking.page.getByRole("button", { name: "New secret" }).count(), 0);

  await page.getByLabel("Actions for reader").click();
  await page.getByRole("menuitem", { name: "Revoke" }).click();
  await page.getByRole("button", { name: "Revoke key" }).click();
  await page.getByText("REST read").waitFor({ state: "detached" });
  await looking.page.getByText("Your session has expired").waitFor();
  assert.deepEqual(complaints, []);
});

test("a secret and a volume are created and listed", {
  skip: skipReason,
}, async (t) => {
  const service = await startService(t);
  const { page, errors: complaints } = await openConsole(t, service, { at: "/secrets" });
  await page.getByRole("button", { name: "New secret" }).first().click();
  await page.getByLabel("Name").fill("hf_token");
  await page.getByLabel("Value").fill("never shown again");
  await page.getByRole("button", { name: "Save secret" }).click();
  await page.getByText("{{ RUNPOD_SECRET_hf_token }}").waitFor();

  await page.getByRole("link", { name: "Storage" }).click();
  await page.getByRole("button", { name: "New volume" }).first().click();
  await page.getByLabel("Name").fill("models");
  await page.getByRole("button", { name: "Create volume" }).click();
  await page.getByText("50 GB").waitFor();
  await page.getByLabel("Actions for models").click();
  await page.getByRole("menuitem", { name: "Delete" }).click();
  await page.getByLabel("Type models to confirm").fill("models");
  await page.getByRole("button", { name: "Delete volume" }).click();
  await page.getByText("No network volumes yet").waitFor();
  assert.deepEqual((await service.call("GET", "/v1/networkvolumes")).json, []);
  assert.deepEqual(complaints, []);
});

test("a budget is created, and spending downloads as CSV", { skip: skipReason }, async (t) => {
  const service = await startService(t);
  const { page, errors: complaints } = await openConsole(t, service, { at: "/billing" });
  await page.getByRole("button", { name: "New budget" }).click();
  await page.getByLabel("Limit in dollars").fill("25");
  await page.getByLabel("Period").selectOption("day");
  await page.getByRole("button", { name: "Create budget" }).click();
  await page.getByText("of $25.00 this day").waitFor();
  await page.getByRole("radio", { name: "Pods" }).click();
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("link", { name: "CSV" }).click(),
  ]);
  assert.equal(download.suggestedFilename(), "pods.csv");
  assert.equal(await download.failure(), null);
  assert.deepEqual(complaints, []);
});

test("an invitation link creates a key and signs in", { skip: skipReason }, async (t) => {
  const service = await startService(t);
  const body = { email: "ada@example.org", role: "dev" };
  const { link } = (await service.call("POST", "/v1/invitations", body)).json;
  const { page, errors: complaints } = await openWindow(t, service);
  await page.goto(link);
  await page.getByLabel("Your name").fill("Ada");
  await page.getByRole("button", { name: "Accept invitation" }).click();
  assert.match((await page.locator("pre").textContent()) ?? "", /^fh_/);
  await page.getByRole("button", { name: "Done" }).click();
  await page.getByRole("heading", { name: "Overview" }).waitFor();
  assert.equal(new URL(page.url()).pathname, "/");
  const pages = page.getByRole("navigation", { name: "Main" }).getByRole("link");
  const names = await pages.allTextContents();
  assert.ok(names.includes("Pods") && names.includes("Keys"), String(names));
  for (const name of ["Members", "Machines", "Accounts"]) assert.ok(!names.includes(name), name);
  const again = await openWindow(t, service);
  await again.page.goto(link);
  await again.page.getByRole("button", { name: "Accept invitation" }).click();
  await again.page.getByText("invitation", { exact: false }).nth(1).waitFor();
  assert.deepEqual(complaints, []);
});
