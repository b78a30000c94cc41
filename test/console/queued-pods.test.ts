// Pods in line in the console: deployed, shown with what they wait for, and taken out of the line.

import assert from "node:assert/strict";
import { test } from "node:test";
import { startService } from "../fixtures/service/service.ts";
import { openConsole, skipReason } from "./browser.ts";

test("a Pod waits in line and leaves it", { skip: skipReason }, async (t) => {
  const env = { FREEHOLD_GPUS: '{"NVIDIA A40": 1}' };
  const service = await startService(t, { drivers: "simulated", env });
  const body = { imageName: "i", gpuTypeIds: ["NVIDIA A40"], volumeInGb: 0 };
  for (;;) {
    const { status } = await service.call("POST", "/v1/pods", body);
    if (status !== 201) break;
  }
  const { page, errors: complaints } = await openConsole(t, service, { at: "/pods/deploy" });
  await page.getByRole("radio", { name: "GPU" }).click();
  await page.getByLabel("Available only").uncheck();
  await page.getByRole("button", { name: /^A40 / }).click();
  await page.getByLabel("Display name").fill("patient");
  await page.getByLabel("Image").fill("i");
  await page.getByLabel("Wait in line").check();
  await page.getByText('"queue"').waitFor();
  await page.getByRole("button", { name: "Deploy" }).click();
  await page.getByRole("heading", { name: "patient" }).waitFor();
  await page
    .getByText(/has waited in line for .*: the account holds 1 NVIDIA A40, next in line\./)
    .waitFor();
  await page.getByText("All machines that could run it are full").first().waitFor();

  await page.goto("/pods");
  const row = page.getByRole("row").filter({ hasText: "patient" });
  await row.getByText("In line").waitFor();
  await row.getByText("1 × A40").waitFor();
  await row.getByRole("button", { name: "Actions for patient" }).click();
  await page.getByRole("menuitem", { name: "Leave the line" }).click();
  await row.waitFor({ state: "detached" });
  assert.deepEqual(complaints, []);
});
