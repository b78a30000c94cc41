// The resources of an account: created and removed on pages, with secrets shown once.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { Page } from "playwright-core";
import { join } from "../accounts/join.ts";
import { startService, type TestService } from "../fixtures/service/service.ts";
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

test("a secret is copied where the browser has no clipboard, as over plain http", {
  skip: skipReason,
}, async (t) => {
  const service = await startService(t);
  const { page } = await openConsole(t, service, { at: "/keys" });
  await page.evaluate(`
    Object.defineProperty(navigator, "clipboard", { value: undefined });
    document.addEventListener("copy", () => {
      document.body.dataset.copied = document.activeElement.value;
    });
  `);
  await page.getByRole("button", { name: "New key" }).click();
  await page.getByLabel("Name").fill("reader");
  await page.getByRole("button", { name: "Create key" }).click();
  const dialog = page.getByRole("dialog");
  const key = await dialog.locator("pre").textContent();
  await dialog.getByRole("button", { name: "Copy" }).click();
  await dialog.getByRole("button", { name: "Copied" }).waitFor();
  assert.equal(await page.locator("body").getAttribute("data-copied"), key);
  await dialog.getByRole("button", { name: "Done" }).click();
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

test("an invitation link creates a key and signs in a member, who sees their own Pods first", {
  skip: skipReason,
}, async (t) => {
  const service = await startService(t);
  const body = { email: "ada@example.org", role: "dev" };
  const { link } = (await service.call("POST", "/v1/invitations", body)).json;
  const { page, errors: complaints } = await openWindow(t, service);
  await page.goto(link);
  await page.getByLabel("Your name").fill("Ada");
  await page.getByRole("button", { name: "Accept invitation" }).click();
  const key = (await page.locator("pre").textContent()) ?? "";
  assert.match(key, /^fh_/);
  await page.getByRole("button", { name: "Done" }).click();
  await page.getByRole("heading", { name: "Overview" }).waitFor();
  assert.equal(new URL(page.url()).pathname, "/");
  const pages = page.getByRole("navigation", { name: "Main" }).getByRole("link");
  const names = await pages.allTextContents();
  assert.ok(names.includes("Pods") && names.includes("Keys"), String(names));
  for (const name of ["Members", "Machines", "Accounts"]) assert.ok(!names.includes(name), name);

  const pod = { imageName: "i", computeType: "CPU", driver: "simulated" };
  await service.call("POST", "/v1/pods", { ...pod, name: "of-the-account" });
  const asAda = { authorization: `Bearer ${key}` };
  await service.call("POST", "/v1/pods", { ...pod, name: "of-ada" }, asAda);
  await service.call("POST", "/v2/sandboxes", { imageName: "i", name: "box-of-ada" }, asAda);
  await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Pods" }).click();
  await page.getByText("1 of 2 Pods").waitFor();
  await page.getByRole("row", { name: "of-ada" }).getByText("Ada", { exact: true }).waitFor();
  await page.getByRole("radio", { name: "Everyone" }).click();
  await page.getByRole("link", { name: "of-the-account" }).waitFor();
  await showsOwnSecretsFirst(service, page, asAda);
  const again = await openWindow(t, service);
  await again.page.goto(link);
  await again.page.getByRole("button", { name: "Accept invitation" }).click();
  await again.page.getByText("invitation", { exact: false }).nth(1).waitFor();

  const operator = await openConsole(t, service, { at: "/members" });
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await operator.page.route("**/v2/sandboxes?createdBy=*", async (route) => {
    await released;
    await route.continue();
  });
  await operator.page.getByLabel("Actions for Ada").click();
  await operator.page.getByRole("menuitem", { name: "Remove" }).click();
  const confirm = operator.page.getByRole("button", { name: "Remove member" });
  await confirm.waitFor();
  assert.ok(await confirm.isDisabled(), "what belongs to the member is not known yet");
  release();
  await operator.page.getByText("1 Pod belongs to them: of-ada").waitFor();
  await operator.page.getByText("1 sandbox belongs to them: box-of-ada").waitFor();
  await operator.page.getByRole("checkbox", { name: "Stop what runs" }).click();
  await confirm.click();
  await operator.page.getByText("No members yet").waitFor();
  const pods: { name: string; desiredStatus: string }[] = (await service.call("GET", "/v1/pods"))
    .json;
  assert.deepEqual(Object.fromEntries(pods.map((each) => [each.name, each.desiredStatus])), {
    "of-the-account": "RUNNING",
    "of-ada": "EXITED",
  });
  assert.deepEqual(complaints, []);
});

async function showsOwnSecretsFirst(
  service: TestService,
  page: Page,
  asAda: { authorization: string },
) {
  await service.call("POST", "/v1/secrets", { name: "of_the_account", value: "v" });
  await service.call("POST", "/v1/secrets", { name: "of_ada", value: "v" }, asAda);
  await page
    .getByRole("navigation", { name: "Main" })
    .getByRole("link", { name: "Secrets" })
    .click();
  await page.getByText("1 secret", { exact: true }).waitFor();
  await page.getByRole("row", { name: "of_ada" }).getByText("Ada", { exact: true }).waitFor();
  await page.getByRole("radio", { name: "Everyone" }).click();
  await page.getByText("2 secrets", { exact: true }).waitFor();
}

test("a member whose role sees only its own finds no page that it cannot use", {
  skip: skipReason,
}, async (t) => {
  const service = await startService(t);
  await service.call("POST", "/v1/secrets", { name: "of_account", value: "v" });
  const { key } = await join(service, "member", "Ada");
  const { page, errors: complaints } = await openConsole(t, service, { at: "/secrets", key });
  await page.getByText("No secrets yet").waitFor();
  const navigation = page.getByRole("navigation").first();
  const names = await navigation.getByRole("link").allTextContents();
  for (const name of ["Flash apps", "Billing", "Members", "Audit log"]) {
    assert.ok(!names.includes(name), name);
  }
  for (const name of names) {
    await navigation.getByRole("link", { name, exact: true }).first().click();
    await page.getByRole("heading", { level: 1 }).waitFor();
    await page.waitForLoadState("networkidle");
    assert.equal(await page.getByText("reaches only what belongs to you").count(), 0, name);
  }
  assert.ok(names.length > 10, names.join());
  assert.equal(await page.getByRole("radio", { name: "Everyone" }).count(), 0);
  assert.deepEqual(complaints, []);
});
