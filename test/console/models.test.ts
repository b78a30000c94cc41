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
  await page.getByText("Downloading model 43%").waitFor();
  await page.goto("/machines");
  await page.getByText("o/n (430 kB of 1.0 MB)").waitFor();
});

test("a template that serves a model becomes an endpoint with the OpenAI API in one form", {
  skip: skipReason,
}, async (t) => {
  const service = await startService(t);
  await service.call("POST", "/v1/secrets", { name: "hf_token", value: "hf_abc" });
  await service.call("POST", "/v1/templates", { name: "painter", imageName: "acme/painter:1" });
  const { page, errors: complaints } = await openConsole(t, service, { at: "/templates" });
  const official = page.getByRole("list", { name: "Official templates" }).getByRole("listitem");
  const vllm = official.filter({ hasText: "vLLM (queue)" });
  await vllm.getByText("GPU with 8 GB or more").waitFor();
  await vllm.getByText("A worker that serves a language model with vLLM").waitFor();
  const own = page.getByRole("list", { name: "Your templates" }).getByRole("listitem");
  assert.equal(await own.count(), 1);
  await vllm.getByRole("button", { name: "Deploy" }).click();
  await page.getByLabel("Model").fill("Qwen/Qwen3-0.6B");
  await page.getByLabel("Display name").fill("chat");
  await page.getByLabel("Hugging Face token").selectOption("hf_token");
  await page.getByRole("button", { name: "Deploy endpoint" }).click();
  await page.getByRole("heading", { name: "OpenAI API" }).waitFor();
  const {
    json: [endpoint],
  } = await service.call("GET", "/v1/endpoints?includeTemplate=true");
  const { env, imageName } = endpoint.template;
  assert.deepEqual(
    [env.MODEL_NAME, env.HF_TOKEN, env.MAX_MODEL_LEN],
    ["Qwen/Qwen3-0.6B", "{{ RUNPOD_SECRET_hf_token }}", "8192"],
  );
  assert.match(imageName, /^runpod\/worker-v1-vllm/);
  const { json: types } = await service.call("GET", "/v1/catalog/gpu-types");
  const gpu = types.find(({ id }: { id: string }) => id === endpoint.gpuTypeIds[0]);
  assert.ok(gpu.memoryInGb >= 8);
  const url = `${service.origin}/v2/${endpoint.id}/openai/v1`;
  await page.getByText(url, { exact: true }).waitFor();
  await page.getByText(`"model": "Qwen/Qwen3-0.6B"`).waitFor();

  await page.goto("/templates");
  const comfy = official.filter({ hasText: "ComfyUI on port 8188." });
  await comfy.getByRole("link", { name: "Deploy ComfyUI" }).click();
  await page.locator('button[aria-pressed="true"]').filter({ hasText: "GB" }).waitFor();
  assert.equal(await page.getByLabel("Template").inputValue(), "comfyui");
  assert.deepEqual(complaints, []);
});
