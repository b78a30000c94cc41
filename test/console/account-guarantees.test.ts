// The operator sets the guarantees and the weights of projects of another account in the console.

import assert from "node:assert/strict";
import { test } from "node:test";
import { simulatedService } from "../pods/fixture.ts";
import { openConsole, skipReason } from "./browser.ts";

test("guarantees and weights of another account's projects are set on the page of accounts", {
  skip: skipReason,
}, async (t) => {
  const service = await simulatedService(t, { env: { FREEHOLD_GPUS: '{"NVIDIA A40": 4}' } });
  const { call } = service;
  const { json: other } = await call("POST", "/v1/accounts", { name: "other" });
  const { json: key } = await call("POST", `/v1/accounts/${other.id}/keys`, { name: "k" });
  const as = { authorization: `Bearer ${key.key}` };
  await call("POST", "/v1/projects", { name: "vision" }, as);

  const { page, errors } = await openConsole(t, service);
  await page.goto("/accounts");
  await page.getByRole("button", { name: "Actions for other" }).click();
  await page.getByRole("menuitem", { name: "Guarantees" }).click();
  await page.getByText("No guaranteed GPUs, weight 1").waitFor();
  await page.getByRole("button", { name: "Edit vision" }).click();
  await page.getByLabel("Guaranteed GPUs by type").fill("NVIDIA A40=2");
  await page.getByLabel("Weight").fill("3");
  await page.getByRole("button", { name: "Save guarantees" }).click();
  await page.getByText("Guarantees of vision changed", { exact: true }).waitFor();
  await page.getByText("2 NVIDIA A40, weight 3").waitFor();
  const { projects } = (await call("GET", "/v1/quota", undefined, as)).json;
  assert.deepEqual(
    [projects[0].guaranteedGpus["NVIDIA A40"].count, projects[0].share.weight],
    [2, 3],
  );
  assert.deepEqual(errors, []);
});
