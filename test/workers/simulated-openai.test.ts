// The public OpenAI client of the npm registry, unmodified, with simulated images of language models: behind the
// queue, behind a load-balancing endpoint, and with texts of freehold.simulate.json.

import assert from "node:assert/strict";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { witness } from "../fidelity/witness.ts";
import { startService, type TestService } from "../fixtures/service/service.ts";
import { until } from "../fixtures/until.ts";
import { npmClient } from "../sdk/npm-client.ts";

const SLOW_WORDS = Array.from({ length: 1_000 }, (_, n) => `word${n}`).join(" ");
const RULES = {
  images: [
    { image: "acme/llm:*", openai: { text: '{"said": "é 😀"}', tokensPerSecond: 1_000 } },
    { image: "acme/slow-vllm", delayMs: 0, openai: { text: SLOW_WORDS, tokensPerSecond: 20 } },
    { image: "acme/ill-vllm", failureRate: 1 },
  ],
};
const PROMPT = { model: "acme/model", messages: [{ role: "user", content: "Say it." }] };
const TOKENS = ["This", " answer", " is", " simulated.", " You", " wrote:", " Say", " it."];
const SAID = TOKENS.join("");

type Stream = AsyncIterable<{ choices: { delta: { content?: string } }[] }>;

async function piecesOf(stream: Stream): Promise<string[]> {
  const pieces: string[] = [];
  for await (const { choices } of stream) pieces.push(choices[0]?.delta.content ?? "");
  return pieces;
}

// biome-ignore lint/suspicious/noExplicitAny: the client of the npm registry
function sharedOf(service: TestService, OpenAI: new (options: object) => any) {
  const clientOf = (baseURL: string) => new OpenAI({ apiKey: service.key, baseURL, maxRetries: 0 });
  return {
    service,
    clientOf,
    openaiOf: ({ id }: { id: string }) => clientOf(`${service.origin}/v2/${id}/openai/v1`),
    async endpointOf(image: string, more: object = {}) {
      const { json, text } = await service.call("POST", "/v2/serverless", {
        name: image,
        image,
        type: "QUEUE",
        cpu: [{ id: "cpu3c", vcpuCount: 2 }],
        scaling: { type: "QUEUE_DELAY", queueDelay: 1 },
        workers: { min: 0, max: 1 },
        env: { MODEL_NAME: "acme/model" },
        ...more,
      });
      assert.ok(json.id, text);
      return json;
    },
  };
}

const checks: [name: string, run: (shared: ReturnType<typeof sharedOf>) => Promise<void>][] = [];
const check = (...each: (typeof checks)[number]) => void checks.push(each);

check(
  "a known image answers every route through the queue",
  async ({ service, openaiOf, endpointOf }) => {
    const { id } = await endpointOf("runpod/worker-v1-vllm:v2.14.0");
    const openai = openaiOf({ id });
    const { data } = await openai.models.list();
    assert.deepEqual([data[0].id, data[0].simulated], ["acme/model", true]);
    const whole = await openai.chat.completions.create(PROMPT);
    assert.deepEqual([whole.choices[0].message.content, whole.simulated], [SAID, true]);
    const pieces = await piecesOf(
      await openai.chat.completions.create({ ...PROMPT, stream: true }),
    );
    assert.deepEqual(pieces, ["", ...TOKENS, ""]);
    const { model } = PROMPT;
    const text = await openai.completions.create({ model, prompt: "x", max_tokens: 1 });
    assert.deepEqual([text.choices[0].text, text.choices[0].finish_reason], ["This", "length"]);
    const embeddings = await openai.embeddings.create({ model, input: ["a", "b"], dimensions: 16 });
    const lengths = embeddings.data.map((each: { embedding: number[] }) => each.embedding.length);
    assert.deepEqual(lengths, [16, 16]);
    await assert.rejects(
      openai.chat.completions.create({ ...PROMPT, model: "gone" }),
      /The model `gone` does not exist/,
    );
    // Another job of the image is answered as those of any image.
    const job = await service.call("POST", `/v2/${id}/runsync`, { input: { n: 1 } });
    assert.deepEqual(job.json.output, { n: 1 }, job.text);
  },
);

check(
  "a rule makes any image a language model, and sets its text",
  async ({ openaiOf, endpointOf }) => {
    const openai = openaiOf(await endpointOf("acme/llm:7"));
    const format = {
      response_format: { type: "json_schema", json_schema: { name: "s", schema: {} } },
    };
    const { choices } = await openai.chat.completions.create({ ...PROMPT, ...format });
    assert.deepEqual(JSON.parse(choices[0].message.content), { said: "é 😀" });
    const pieces = await piecesOf(
      await openai.chat.completions.create({ ...PROMPT, stream: true }),
    );
    assert.equal(pieces.join(""), '{"said": "é 😀"}');
  },
);

check("a failure is an error for the client, before any text", async ({ openaiOf, endpointOf }) => {
  const { chat } = openaiOf(await endpointOf("acme/ill-vllm"));
  for (const stream of [false, true])
    await assert.rejects(chat.completions.create({ ...PROMPT, stream }), /configured to fail/);
});

check(
  "a client that disconnects stops its stream, while others go on",
  async ({ service, openaiOf, endpointOf }) => {
    const { id } = await endpointOf("acme/slow-vllm");
    const { chat } = openaiOf({ id });
    const open = () => chat.completions.create({ ...PROMPT, stream: true });
    // Both are of one worker, which answers several requests at once.
    const streams = await Promise.all([open(), open()]);
    const read = streams.map((stream) => stream[Symbol.asyncIterator]());
    for (const each of read) assert.equal((await each.next()).value.choices[0].delta.content, "");
    streams[0].controller.abort();
    await until(async () => {
      const { json } = await service.call("GET", `/v2/${id}/health`);
      return (json.jobs.inProgress === 1 && json.jobs.failed === 0) || null;
    });
    assert.equal((await read[1]!.next()).value.choices[0].delta.content, "word0");
    streams[1].controller.abort();
  },
);

check(
  "a load-balancing endpoint of a known image answers on its port",
  async ({ clientOf, endpointOf }) => {
    const { requestUrls } = await endpointOf("vllm/vllm-openai:v0.11.0", {
      type: "LOAD_BALANCER",
      env: { PORT: "8000", MODEL_NAME: "acme/model" },
      scaling: { type: "REQUEST_COUNT", requestCount: 4 },
    });
    const { chat, embeddings } = clientOf(`${requestUrls.base}/v1`);
    const content = "long ".repeat(100_000);
    const messages = [{ role: "user", content }];
    const long = await chat.completions.create({ ...PROMPT, messages, max_completion_tokens: 7 });
    assert.deepEqual(long.usage, {
      prompt_tokens: 100_001,
      completion_tokens: 7,
      total_tokens: 100_008,
    });
    const pieces = await piecesOf(await chat.completions.create({ ...PROMPT, stream: true }));
    assert.equal(pieces.join(""), SAID);
    const { data } = await embeddings.create({ model: PROMPT.model, input: "a" });
    assert.equal(data[0].embedding.length, 384);
    await assert.rejects(chat.completions.create({ ...PROMPT, model: "gone" }), { status: 404 });
  },
);

test("the OpenAI client and simulated images", async (t) => {
  const sdk = npmClient(t, "openai/index.mjs");
  if (!sdk) return;
  const { OpenAI } = await import(pathToFileURL(sdk).href);
  const dataFolder = mkdtempSync(path.join(tmpdir(), "freehold-test-"));
  writeFileSync(path.join(dataFolder, "freehold.simulate.json"), JSON.stringify(RULES));
  const service = await startService(t, { dataFolder, drivers: "simulated", replicas: null });
  witness(t, service, "npm openai 6.49.0");
  const shared = sharedOf(service, OpenAI);
  for (const [name, run] of checks) await t.test(name, () => run(shared));
});
