// Tests of the answers of a simulated server of OpenAI's interface, and of the images that are one.

import assert from "node:assert/strict";
import { it } from "node:test";
import { answerOpenai } from "./answer.ts";
import { servedModels, servesOpenai } from "./server-images.ts";
import type { OpenaiSettings } from "./settings.ts";

const usual = { text: null, tokensPerSecond: 50, models: ["m"], dimensions: 8 };
const NAME = { id: "j1", createdAt: 5_000 };

function answer(route: string, body: unknown, settings: Partial<OpenaiSettings> = {}) {
  return answerOpenai({ ...usual, ...settings }, { route: `/v1/${route}`, body }, NAME);
}

function objectOf(...call: Parameters<typeof answer>) {
  const result = answer(...call);
  assert.equal(result.kind, "object", JSON.stringify(result));
  return JSON.parse(result.kind === "object" ? result.text : "");
}

function eventsOf(...call: Parameters<typeof answer>) {
  const result = answer(...call);
  assert.equal(result.kind, "stream", JSON.stringify(result));
  const lines = result.kind === "stream" ? result.events.join("").split("\n\n") : [];
  assert.deepEqual(lines.splice(-2), ["data: [DONE]", ""]);
  return lines.map((line) => JSON.parse(line.replace("data: ", "")));
}

const chat = { model: "m", messages: [{ role: "user", content: "Say it." }] };

it("answers a chat with its last message, the same text each time, marked as simulated", () => {
  const text = "This answer is simulated. You wrote: Say it.";
  const object = objectOf("chat/completions", chat);
  assert.deepEqual(object, objectOf("chat/completions", chat));
  assert.deepEqual(object, {
    id: "chatcmpl-j1",
    created: 5,
    model: "m",
    system_fingerprint: "simulated",
    simulated: true,
    object: "chat.completion",
    choices: [
      {
        index: 0,
        message: { role: "assistant", content: text },
        logprobs: null,
        finish_reason: "stop",
      },
    ],
    usage: { prompt_tokens: 2, completion_tokens: 8, total_tokens: 10 },
  });
  const content = [
    { type: "text", text: "a " },
    { type: "image_url" },
    { type: "text", text: "b" },
  ];
  const messages = [
    { role: "user", content },
    { role: "assistant", content: "c" },
  ];
  const parts = objectOf("chat/completions", { model: "m", messages });
  assert.match(parts.choices[0].message.content, /You wrote: a b$/);
});

it("ends at the limit, at a stop, and repeats for each choice", () => {
  const of = (more: object) => objectOf("completions", { model: "m", prompt: "x", ...more });
  const { choices, usage } = of({ max_tokens: 2, n: 2 });
  assert.deepEqual(
    choices.map((each: { text: string; finish_reason: string }) => [each.text, each.finish_reason]),
    [
      ["This answer", "length"],
      ["This answer", "length"],
    ],
  );
  assert.equal(usage.completion_tokens, 4);
  assert.equal(of({ stop: ["gone", " is"] }).choices[0].text, "This answer");
  const json = objectOf("chat/completions", { ...chat, response_format: { type: "json_object" } });
  assert.deepEqual(JSON.parse(json.choices[0].message.content), {
    simulated: true,
    prompt: "Say it.",
  });
});

it("streams a token an event, with the role, the end and the usage", () => {
  const stream_options = { include_usage: true };
  const events = eventsOf("chat/completions", { ...chat, stream: true, stream_options });
  const deltas = events.flatMap(({ choices }) => choices.map(({ delta }: never) => delta));
  assert.deepEqual(deltas[0], { role: "assistant", content: "" });
  assert.deepEqual(deltas.slice(1, 3), [{ content: "This" }, { content: " answer" }]);
  assert.equal(deltas.length, 10);
  assert.equal(events.at(-2).choices[0].finish_reason, "stop");
  assert.deepEqual(events.at(-1).usage, {
    prompt_tokens: 2,
    completion_tokens: 8,
    total_tokens: 10,
  });
  const none = eventsOf("completions", { model: "m", prompt: "x", stream: true, stop: "This" });
  assert.deepEqual(
    none.map(({ choices }) => choices[0].finish_reason),
    ["stop"],
  );
});

it("embeds a text as the same vector each time, as numbers or as base64", () => {
  const { data, usage } = objectOf("embeddings", { model: "m", input: ["a b", "c"] });
  assert.equal(usage.prompt_tokens, 3);
  assert.equal(data.length, 2);
  const [{ embedding }, other] = data;
  assert.equal(embedding.length, 8);
  assert.ok(Math.abs(Math.hypot(...embedding) - 1) < 1e-6);
  assert.notDeepEqual(embedding, other.embedding);
  const encoded = objectOf("embeddings", { model: "m", input: "a b", encoding_format: "base64" });
  const bytes = Buffer.from(encoded.data[0].embedding, "base64");
  assert.deepEqual(
    embedding.map((_: number, index: number) => bytes.readFloatLE(4 * index)),
    embedding,
  );
  const short = objectOf("embeddings", { model: "m", input: [1, 2, 3], dimensions: 2 });
  assert.equal(short.data[0].embedding.length, 2);
});

it("lists its models, and refuses others", () => {
  assert.deepEqual(
    objectOf("models", null).data.map(({ id }: { id: string }) => id),
    ["m"],
  );
  assert.equal(objectOf("models/m", null).id, "m");
  assert.equal(objectOf("models", null, { models: [] }).data[0].id, "simulated");
  assert.equal(objectOf("completions", { model: "any", prompt: "" }, { models: [] }).model, "any");
});

const refusals: [route: string, body: unknown, status: number, param: string | null][] = [
  ["chat/completions", { ...chat, model: "gone" }, 404, "model"],
  ["models/gone", null, 404, "model"],
  ["images/generations", {}, 404, null],
  ["chat/completions", null, 400, null],
  ["chat/completions", { messages: chat.messages }, 400, "model"],
  ["chat/completions", { model: "m", messages: [] }, 400, "messages"],
  ["chat/completions", { ...chat, max_tokens: 0 }, 400, "max_tokens"],
  ["chat/completions", { ...chat, n: 1_000 }, 400, "n"],
  ["chat/completions", { ...chat, stop: [1] }, 400, "stop"],
  ["chat/completions", { ...chat, stop: ["a", "b", "c", "d", "e"] }, 400, "stop"],
  ["chat/completions", { ...chat, model: "m".repeat(513) }, 400, "model"],
  ["chat/completions", { ...chat, logprobs: true }, 400, "logprobs"],
  ["chat/completions", { ...chat, tool_choice: "required" }, 400, "tool_choice"],
  [
    "chat/completions",
    { ...chat, response_format: { type: "json_schema" } },
    400,
    "response_format",
  ],
  ["completions", { model: "m", prompt: ["a", "b"] }, 400, "prompt"],
  ["completions", { model: "m", prompt: "a", echo: true }, 400, "echo"],
  ["embeddings", { model: "m", input: [] }, 400, "input"],
  ["embeddings", { model: "m", input: "a", encoding_format: "hex" }, 400, "encoding_format"],
  ["embeddings", { model: "m", input: "a", dimensions: 9_000 }, 400, "dimensions"],
  ["embeddings", { model: "m", input: Array(129).fill("a"), dimensions: 8_192 }, 400, "input"],
];
for (const [route, body, status, param] of refusals) {
  it(`refuses ${route} with ${JSON.stringify(body)}`, () => {
    const result = answer(route, body);
    assert.ok(result.kind === "error");
    const { error } = JSON.parse(result.text);
    assert.deepEqual([result.status, error.code, error.param], [status, status, param]);
  });
}

it("cuts a long answer, so that all choices together are bounded", () => {
  const words = "word ".repeat(100_000);
  for (const [content, tokens] of [
    [words, 32_768 / 4],
    ["x".repeat(2_000_000), 7],
  ] as const) {
    const messages = [{ role: "user", content: [{ type: "text", text: content }] }];
    const { choices, usage } = objectOf("chat/completions", { model: "m", messages, n: 4 });
    assert.equal(choices[0].finish_reason, "length");
    assert.equal(usage.completion_tokens, 4 * tokens);
    assert.ok(choices[0].message.content.length <= 1_048_576 / 4);
  }
});

it("reads text parts alone", () => {
  const content = [{ type: "text", text: { toString: 1 } }, { text: "b" }];
  const body = { model: "m", messages: [{ role: "user", content }] };
  assert.match(objectOf("chat/completions", body).choices[0].message.content, /You wrote: b$/);
});

it("takes any format of an answer whose text is set", () => {
  const body = { ...chat, response_format: { type: "json_schema" } };
  const { choices } = objectOf("chat/completions", body, { text: '{"a": 1}' });
  assert.equal(choices[0].message.content, '{"a": 1}');
});

it("knows the images of servers by their names", () => {
  const servers = [
    "runpod/worker-v1-vllm:v2.14.0",
    "vllm/vllm-openai",
    "registry.acme.com:5000/llm/worker-vllm@sha256:0123",
    "lmsysorg/sglang:latest",
    "ollama/ollama:0.12",
    "ghcr.io/huggingface/text-generation-inference:3",
    "ghcr.io/ggml-org/llama.cpp:server-cuda",
    "runpod/worker-infinity-embedding:1.1.4",
    "nvcr.io/nim/meta/llama-3.1-8b-instruct:latest",
  ];
  for (const image of servers) assert.ok(servesOpenai(image), image);
  for (const image of ["acme/whisper:vllm", "vllm/docs", "acme/unvllm", "ubuntu", ""])
    assert.ok(!servesOpenai(image), image);
});

it("reads the models of a workload from its variables or its command", () => {
  const models = (env: Record<string, string>, ...command: string[]) =>
    servedModels({ id: "w", image: "vllm/vllm-openai", entrypoint: [], command, env });
  assert.deepEqual(models({}), []);
  assert.deepEqual(models({ MODEL_NAME: "a/b" }), ["a/b"]);
  assert.deepEqual(models({ MODEL_NAMES: "a; b" }), ["a", "b"]);
  assert.deepEqual(models({ MODEL_NAME: "a/b", OPENAI_SERVED_MODEL_NAME_OVERRIDE: "c" }), ["c"]);
  assert.deepEqual(models({ MODEL_NAME: "a" }, "--model", "d", "--served-model-name=e"), ["e"]);
  assert.deepEqual(models({ MODEL_NAME: "a" }, "--model", "$MODEL_NAME"), ["a"]);
});
