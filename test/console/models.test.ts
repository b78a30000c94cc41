// Models in the console: a field of the endpoint's form, and a phase of the start of its workers.

import assert from "node:assert/strict";
import { test } from "node:test";
import { startModelHub } from "../fixtures/model-hub.ts";
import { startService } from "../fixtures/service/service.ts";
import { openConsole, skipReason } from "./browser.ts";

test("a model is set in the form, and its download is shown", { skip: skipReason }, async (t) => {
  const hub = await startModelHub(t, { "o/n": { files: { w: Buffer.alloc(1_000_000, "x") } } });
  hub.fault = (_, response, body) => {
    response.writeHead(200, { "content-length": body.length });
    response.write(body.subarray(0, 430_000));
    return true;
  };
  const env = { FREEHOLD_MODEL_SOURCE: hub.origin };
  const service = await startService(t, { replicas: null, env });
  const id = await service.makeEndpoint({ template: { driver: "simulated" } });
  const { page } = await openConsole(t, service, { at: `/serverless/${id}/edit` });
  const models = page.getByLabel("Models");
  await models.fill("not-a-model");
  await page.getByRole("button", { name: "Save changes" }).click();
  await page.locator('input[aria-invalid="true"]').waitFor();
  await models.fill("o/n");
  await page.getByRole("button", { name: "Save changes" }).click();
  await page.waitForURL(`**/serverless/${id}`);
  const { json } = await service.call("GET", `/v1/endpoints/${id}`);
  assert.deepEqual(json.modelReferences, ["https://huggingface.co/o/n:main"]);
  await service.call("PATCH", `/v1/endpoints/${id}`, { workersMin: 1 });
  await page.goto(`/serverless/${id}/workers`);
  await page.getByText("Downloading model 43 %").waitFor();
  await page.goto("/machines");
  await page.getByText("o/n (430 kB of 1.0 MB)").waitFor();
});
