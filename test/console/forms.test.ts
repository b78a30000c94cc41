// Forms of the console: an error appears at its field, whether the OpenAPI document or the service finds it.

import assert from "node:assert/strict";
import { test } from "node:test";
import { startService } from "../fixtures/service/service.ts";
import { openConsole, skipReason } from "./browser.ts";

test("a field shows the error that the OpenAPI document implies", {
  skip: skipReason,
}, async (t) => {
  const service = await startService(t);
  const { page, errors: complaints } = await openConsole(t, service, { at: "/secrets" });
  await page.getByRole("button", { name: "New secret" }).first().click();
  await page.getByRole("button", { name: "Save secret" }).click();
  const name = page.getByLabel("Name");
  await page.getByText("Required").first().waitFor();
  assert.equal(await name.getAttribute("aria-invalid"), "true");
  await name.fill("runpod_token");
  await page.getByText('Must be up to 191 letters, digits and "_./-"').waitFor();
  await name.fill("hf_token");
  await page.getByLabel("Value").fill("hf_abc");
  await page.getByRole("button", { name: "Save secret" }).click();
  await page.getByText("{{ RUNPOD_SECRET_hf_token }}").waitFor();
  assert.deepEqual(complaints, []);
});

test("a refusal that names a field is shown at that field", { skip: skipReason }, async (t) => {
  const service = await startService(t);
  const { page } = await openConsole(t, service, { at: "/keys/ssh" });
  await page.getByRole("button", { name: "Add key" }).first().click();
  const field = page.getByLabel("Public key");
  await field.fill("not a key");
  await page.getByRole("dialog").getByRole("button", { name: "Add key" }).click();
  await page.locator('textarea[aria-invalid="true"]').waitFor();
  const id = (await field.getAttribute("aria-describedby")) ?? "";
  assert.match((await page.locator(`[id="${id}"]`).textContent()) ?? "", /^"publicKey"/);
  assert.equal(await page.getByRole("alert").count(), 0);
  assert.equal(await field.evaluate((input) => input.matches(":focus")), true);
  await page.mouse.click(2, 2);
  assert.equal(await field.inputValue(), "not a key", "a click beside the form loses no input");
  await page.keyboard.press("Escape");
  await field.waitFor({ state: "detached" });
});

test("an error shows among hidden fields, and one without a place beside the button", {
  skip: skipReason,
}, async (t) => {
  const service = await startService(t);
  const { json: centers } = await service.call("GET", "/v1/catalog/data-centers");
  for (const name of ["models", "data"]) {
    const body = { name, size: 1, dataCenterId: centers[0].id };
    await service.call("POST", "/v1/networkvolumes", body);
  }
  const { page } = await openConsole(t, service, { at: "/pods/deploy" });
  await page.getByLabel("Image").fill("acme/train:1");
  await page.getByText("More options").click();
  const idle = page.getByLabel("Stop when idle for, in minutes");
  await idle.fill("0");
  await page.getByText("More options").click();
  await page.getByRole("button", { name: "Deploy" }).click();
  await page.locator("details [aria-invalid=true]").waitFor();
  assert.equal(await idle.evaluate((input) => input.matches(":focus")), true);

  await page.goto("/serverless/new");
  await page.getByLabel("Image").fill("acme/worker:1");
  for (const name of ["models", "data"]) await page.getByRole("checkbox", { name }).check();
  await page.getByRole("button", { name: "Create endpoint" }).click();
  await page.getByRole("alert").getByText("networkVolumeIds").waitFor();
});
