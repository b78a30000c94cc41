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
});
