// The page of reservations: GPUs are reserved and cancelled, and the calendar follows the service's clock.

import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import type { Page } from "playwright-core";
import { join } from "../accounts/join.ts";
import { startService, type TestService } from "../fixtures/service/service.ts";
import { advance, virtual } from "../fixtures/service/virtual-service.ts";
import { openConsole, skipReason } from "./browser.ts";

const A40 = "NVIDIA A40";
/** Chromium logs the answers that the form shows. */
const isNoRefusal = (error: string) => !/status of 4(?:00|09)/.test(error);

test("GPUs are reserved in a form that shows refusals at its fields, and stand in the calendar", {
  skip: skipReason,
}, async (t) => {
  const env = { ...virtual.env, FREEHOLD_GPUS: `{"${A40}": 4}` };
  const service = await startService(t, { ...virtual, env });
  const now = await advance(service, "8d");
  const ada = await join(service, "dev", "Ada");
  const grace = await join(service, "member", "Grace");
  const ownPage = { at: "/reservations", key: ada.key };
  const { page, errors: complaints } = await openConsole(t, service, ownPage);
  await subscribe(page);
  await page.getByRole("button", { name: "Reserve GPUs" }).first().click();
  const dialog = page.getByRole("dialog");
  const reserve = () => dialog.getByRole("button", { name: "Reserve", exact: true }).click();
  await dialog.getByLabel("GPUs", { exact: true }).fill("5");
  await reserve();
  const full =
    /^0 of 4 NVIDIA A40 are reserved from \S+ \d\d:\d\d until \S+ \d\d:\d\d, and 5 more are asked/;
  await dialog.getByText(full).waitFor();
  const refused = dialog.locator('input[aria-invalid="true"]');
  assert.equal(await refused.inputValue(), "5");
  await dialog.getByLabel("GPUs", { exact: true }).fill("3");
  await reserve();
  await dialog.getByText(/^A member reserves at most 2 of 4 NVIDIA A40 at one time, /).waitFor();
  assert.equal(await refused.inputValue(), "3");
  await dialog.getByLabel("GPUs", { exact: true }).fill("2");
  await dialog.getByLabel("From").fill("");
  await dialog.getByLabel("Length").fill("91");
  await dialog.getByLabel("Unit").selectOption("d");
  await reserve();
  await dialog.getByText('"until" is more than 90 days ahead.').waitFor();
  assert.equal(await refused.inputValue(), "91");
  await dialog.getByLabel("Length").fill("2");
  await dialog.getByLabel("Note").fill("Fine-tuning");
  await reserve();
  await page.getByText("2 × A40 reserved", { exact: true }).waitFor();

  // The week is that of the service's clock, which is days ahead of the browser's.
  await page.getByTestId("now").waitFor();
  const week = await page.getByRole("heading", { name: / to / }).textContent();
  assert.ok(Date.parse(week!.slice(0, 10)) > Date.now());
  const own = page.getByRole("button", { name: /^2 × you, A40, / });
  await own.waitFor();
  await page.getByRole("row", { name: "Fine-tuning" }).getByText("Active").waitFor();
  await advance(service, "31m");
  await page.getByRole("row", { name: "Fine-tuning" }).getByText("Not used").waitFor();

  // What others reserve appears by itself.
  const until = new Date(now + 86_400_000).toISOString();
  const ofAccount = await service.call("POST", "/v1/reservations", { gpuTypeId: A40, until });
  assert.equal(ofAccount.status, 201, ofAccount.text);
  await page.getByRole("button", { name: /^1 × the account, A40, / }).waitFor();
  const { page: hers } = await openConsole(t, service, { at: "/reservations", key: grace.key });
  await hers.getByRole("button", { name: /^2 × Ada, A40, / }).click();
  await hers.getByRole("dialog").getByText("Fine-tuning").waitFor();
  assert.equal(await hers.getByRole("button", { name: /^(Cancel|Actions)/ }).count(), 0);
  await readOnly(t, service);

  await page.getByRole("button", { name: "Next week" }).click();
  await page.getByRole("button", { name: "Next week" }).click();
  await own.waitFor({ state: "detached" });
  await page.getByRole("button", { name: "This week" }).click();
  await own.click();
  await dialog.getByRole("button", { name: "Cancel reservation" }).click();
  await dialog.getByText("2 × A40 for you, ").waitFor();
  await dialog.getByRole("button", { name: "Cancel reservation" }).click();
  await page.getByText("Reservation cancelled", { exact: true }).waitFor();
  await own.waitFor({ state: "detached" });
  const [other, ...more] = (await ada.call("GET", "/v1/reservations")).json;
  assert.deepEqual([other.id, more], [ofAccount.json.id, []]);
  assert.deepEqual(complaints.filter(isNoRefusal), []);
});

/** A role that only reads has the feed alone. */
async function readOnly(t: TestContext, service: TestService): Promise<void> {
  const { key } = await join(service, "basic", "Alan");
  const { page } = await openConsole(t, service, { at: "/reservations", key });
  await page.getByRole("button", { name: /^2 × Ada, A40, / }).waitFor();
  await page.getByRole("button", { name: "Subscribe" }).waitFor();
  assert.equal(await page.getByRole("button", { name: /^(Reserve|Actions)/ }).count(), 0);
}

/** Creates the address of a calendar feed, and revokes it. */
async function subscribe(page: Page): Promise<void> {
  await page.getByText("No reservations yet").waitFor();
  await page.getByRole("button", { name: "Subscribe" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: "Create address" }).click();
  const address = (await dialog.getByText("/v1/reservations.ics?token=").textContent())!;
  assert.equal((await fetch(address)).status, 200);
  await dialog.getByRole("button", { name: "Done" }).click();
  await page.getByRole("button", { name: "Subscribe" }).click();
  await dialog.getByText("Your address was created").waitFor();
  await dialog.getByRole("button", { name: "Revoke" }).click();
  await page.getByText("Calendar feed revoked", { exact: true }).waitFor();
  assert.notEqual((await fetch(address)).status, 200);
}
