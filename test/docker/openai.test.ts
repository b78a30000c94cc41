// The public OpenAI client of the npm registry, unmodified, talks to a language model that a worker in an
// image serves: what it yields has the forms of vLLM workers, of today's and of older ones.

import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { pathToFileURL } from "node:url";
import { witness } from "../fidelity/witness.ts";
import { skipReason } from "../fixtures/docker/engine.ts";
import { npmClient } from "../sdk/npm-client.ts";
import { pythonWith } from "../sdk/python-environment.ts";
import { shortTimes } from "../sdk/python-worker.ts";
import { startContainerService } from "./container-service.ts";
import { ensurePythonImage } from "./python-image.ts";

async function client(t: TestContext) {
  const python = pythonWith(t, "1.12.0");
  const sdk = npmClient(t, "openai/index.mjs");
  if (!python || !sdk) return null;
  const service = await startContainerService(t, { protocol: { ...shortTimes, leaseMs: 8_000 } });
  witness(t, service, "npm openai 6.49.0");
  const endpoint = await service.makeEndpoint({
    template: {
      imageName: ensurePythonImage(service.host, python),
      // The machine of a test may have no way out, which the SDK would refuse to work without.
      env: {
        SHAPE: "language_model",
        RUNPOD_SKIP_AUTO_SYSTEM_CHECKS: "true",
        RUNPOD_SKIP_GPU_CHECK: "true",
      },
    },
    spec: { workersMax: 1 },
  });
  const { OpenAI } = await import(pathToFileURL(sdk).href);
  const baseURL = `${service.origin}/v2/${endpoint}/openai/v1`;
  return new OpenAI({ apiKey: service.key, baseURL, maxRetries: 0 });
}

const SAID = "It said: é😀";

test("the OpenAI client and a worker in an image", { skip: skipReason }, async (t) => {
  const openai = await client(t);
  if (!openai) return;
  const messages = [{ role: "user", content: "Say it." }];
  const models = await openai.models.list();
  assert.deepEqual(
    models.data.map(({ id }: { id: string }) => id),
    ["tiny"],
  );
  const whole = await openai.chat.completions.create({ model: "tiny", messages });
  assert.deepEqual([whole.choices[0].message.content, whole.usage.total_tokens], [SAID, 4]);
  for (const model of ["tiny", "of-old"]) {
    const pieces: string[] = [];
    const stream = await openai.chat.completions.create({ model, messages, stream: true });
    for await (const { choices } of stream) pieces.push(choices[0].delta.content);
    assert.deepEqual(pieces, ["It ", "said: é", "😀"], model);
  }
  await assert.rejects(
    openai.chat.completions.create({ model: "gone", messages }),
    /The model `gone` does not exist/,
  );
});
