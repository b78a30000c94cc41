// What a cassette keeps of a call: keys are scrubbed, ids and times become placeholders, and everything else stays.

import assert from "node:assert/strict";
import { test } from "node:test";
import { bodyOf, bytesOf } from "../format/body.ts";
import { Normalizer } from "./normalizer.ts";
import { renderBody, renderPath } from "./render.ts";

const NOW = Date.parse("2026-05-01T12:00:00Z");
const UUID = "0199c2f1-7a3e-7c11-8d55-1b2c3d4e5f60";

interface Sent {
  path?: string;
  headers?: Record<string, string>;
  body?: unknown;
  answer?: unknown;
}

function call(normalizer: Normalizer, { path = "/v1/pods", headers = {}, body, answer }: Sent) {
  const bytes = (value: unknown) =>
    bodyOf(Buffer.from(typeof value === "string" ? value : (JSON.stringify(value) ?? "")));
  const answered = { status: 200, headers: {}, body: bytes(answer) };
  return normalizer.call({ method: "POST", path, headers, body: bytes(body), answer: answered });
}

const fresh = () => new Normalizer(["http://10.0.0.1:8700"], () => NOW);

// biome-ignore lint/suspicious/noExplicitAny: a test reads any body
const jsonOf = (body: unknown): any => (body as { json: unknown }).json;

test("keys are scrubbed from headers, queries and bodies", () => {
  const key = "a-key-of-no-known-form";
  const recorded = call(fresh(), {
    path: "/v1/pods?api_key=abc&X-Signature=def&limit=5",
    headers: { authorization: `Bearer ${key}`, cookie: "a=b", "x-api-key": key },
    body: {
      note: `I am ${key}`,
      env: { HF_TOKEN: "one", MODEL: "small" },
      variables: [
        { key: "DB_PASSWORD", value: "two" },
        { key: "MODE", value: "fast" },
      ],
      password: "three",
      clientSecret: "four",
      url: "postgres://me:five@db/x",
      usage: { max_tokens: 20 },
    },
    answer: { key: `fh_${"a1".repeat(20)}`, nextToken: "page2" },
  });
  const text = JSON.stringify(recorded);
  for (const secret of [key, "abc", "def", "one", "two", "three", "four", "five", "fh_a1"])
    assert.ok(!new RegExp(`["=: ]${secret}`).test(text), `${secret} in ${text}`);
  assert.deepEqual(recorded.headers, { authorization: "Bearer {{key}}" });
  assert.match(
    recorded.path,
    /^\/v1\/pods\?api_key=\{\{secret\}\}&X-Signature=\{\{secret\}\}&limit=5$/,
  );
  const sent = jsonOf(recorded.body);
  assert.deepEqual(sent.env, { HF_TOKEN: "{{secret}}", MODEL: "small" });
  assert.equal(sent.variables[1].value, "fast");
  assert.deepEqual(sent.usage, { max_tokens: 20 });
  assert.equal(jsonOf(recorded.answer.body).nextToken, "page2");
});

test("the values of secrets are scrubbed, in REST and in GraphQL", () => {
  const rest = call(fresh(), { path: "/v1/secrets", body: { name: "A", value: "hidden" } });
  assert.deepEqual(jsonOf(rest.body), { name: "A", value: "{{secret}}" });
  const query = `mutation { secretCreate(input: { name: "A", value: "hidden" }) { id } }`;
  const graphql = call(fresh(), { path: "/graphql", body: { query } });
  assert.ok(!JSON.stringify(graphql).includes("hidden"));
  const env = `mutation { podDeploy(input: { env: [{ key: "HF_TOKEN", value: "hidden" }] }) { id } }`;
  assert.ok(!JSON.stringify(call(fresh(), { body: { query: env } })).includes("hidden"));
});

test("ids that an answer gives first are placeholders from then on", () => {
  const normalizer = fresh();
  const created = call(normalizer, {
    path: "/v2/myendpoint12/run",
    body: { gpuTypeIds: ["NVIDIA A40"] },
    answer: { id: `${UUID}-u1`, workerId: "avoso0llxjb94e", endpointId: "myendpoint12" },
  });
  assert.equal(created.path, "/v2/myendpoint12/run");
  assert.deepEqual(jsonOf(created.body), { gpuTypeIds: ["NVIDIA A40"] });
  const ids = { id: "{{id:1}}", workerId: "{{id:2}}", endpointId: "myendpoint12" };
  assert.deepEqual(jsonOf(created.answer.body), ids);
  const read = call(normalizer, {
    path: `/v2/myendpoint12/status/${UUID}-u1`,
    answer: { url: "http://10.0.0.1:8700/x/avoso0llxjb94e-8080", dataCenterId: "EU-RO-1" },
  });
  assert.equal(read.path, "/v2/myendpoint12/status/{{id:1}}");
  const answer = { url: "{{origin}}/x/{{id:2}}-8080", dataCenterId: "EU-RO-1" };
  assert.deepEqual(jsonOf(read.answer.body), answer);
});

test("a UUID that a request brings is the client's own", () => {
  const recorded = call(fresh(), { body: { run: UUID }, answer: { id: UUID } });
  assert.deepEqual(jsonOf(recorded.body), { run: "{{uuid:1}}" });
  assert.deepEqual(jsonOf(recorded.answer.body), { id: "{{uuid:1}}" });
});

test("times keep their form and their distance from the call", () => {
  const recorded = call(fresh(), {
    path: "/v1/billing?startTime=2026-04-01T12%3A00%3A00Z",
    body: { stopAfter: "2026-05-01T14:00:20.000Z" },
    answer: {
      createdAt: "2026-05-01T11:30:00.123Z",
      lastStatusChange: "2026-05-01 11:59:59.5 +0000 UTC",
      expiresAt: "2026-05-08T12:00:03Z",
      startedAt: NOW - 5_000,
      created: NOW / 1_000,
      memoryBytes: NOW / 1_000,
      executionTime: 1_234,
    },
  });
  assert.equal(recorded.path, "/v1/billing?startTime={{time -30d seconds}}");
  assert.deepEqual(jsonOf(recorded.body), { stopAfter: "{{time +2h}}" });
  const answer = {
    createdAt: "{{time}}",
    lastStatusChange: "{{time go}}",
    expiresAt: "{{time +7d seconds}}",
    startedAt: "{{time epoch-ms}}",
    created: "{{time epoch-s}}",
    memoryBytes: NOW / 1_000,
    executionTime: "{{number}}",
  };
  assert.deepEqual(jsonOf(recorded.answer.body), answer);

  const values = { idOf: () => "", now: NOW, origin: "", key: "" };
  assert.deepEqual(jsonOf(renderBody(recorded.answer.body, values)), {
    ...answer,
    createdAt: "2026-05-01T12:00:00.000Z",
    lastStatusChange: "2026-05-01 12:00:00.000 +0000 UTC",
    expiresAt: "2026-05-08T12:00:00Z",
    startedAt: NOW,
    created: NOW / 1_000,
    executionTime: 0,
  });
  const start = "/v1/billing?startTime=2026-04-01T12%3A00%3A00Z";
  assert.equal(renderPath(recorded.path, values), start);
});

test("everything else comes out as it went in", () => {
  const values = { idOf: () => "", now: NOW, origin: "", key: "" };
  for (const text of [
    '{"big":12345678901234567890,"__proto__":{"a":null},"é":"😀\\u0000"}',
    '{"prompt":"{{id:1}} {{time}} {{\\\\id:2}} {{name}}"}',
    'data: {"a":1}\n\ndata: [DONE]\n\n',
    "plain {{secret}} text",
  ]) {
    const recorded = call(fresh(), { body: text });
    assert.equal(bytesOf(renderBody(recorded.body, values)).toString(), text);
  }
  const bytes = Buffer.from([0, 255, 254]);
  assert.deepEqual(bytesOf(bodyOf(bytes)), bytes);
});

test("webhooks, tokens in variables and URLs, and bearer words in inputs are scrubbed", () => {
  const hook = "https://hooks.example.org/services/T0/B0/sec-ret";
  const query = `mutation { save(input: { webhookUrl: "${hook}", pageToken: "kept" }) { id } }`;
  const recorded = call(fresh(), {
    body: {
      webhook: hook,
      webhookUrl: hook,
      webhook_url: `${hook}?x=sec-ret`,
      env: {
        HF_TOKEN_2: "sec-ret",
        PGPASSWORD: "sec-ret",
        OPENAI_KEY: "sec-ret",
        TOKEN_OF_CI: "sec-ret",
        GH_PAT: "sec-ret",
        SENTRY_DSN: "sec-ret",
        MAX_TOKENS: "20",
        PUBLIC_KEY: "ssh-ed25519 AAAA",
        TOKENIZER: "fast",
      },
      input: {
        prompt: "call it with Bearer sec-ret-word and authorization: bearer sec-ret-word",
        image: "https://cdn.example.org/a.png?access_token=sec-ret&size=2&X-Amz-Signature=sec-ret",
        blob: "https://x.blob.example.org/a?sv=1&sig=sec-ret#token=sec-ret",
      },
      query,
    },
  });
  assert.ok(!JSON.stringify(recorded).includes("sec-ret"), JSON.stringify(recorded));
  const sent = jsonOf(recorded.body);
  assert.equal(sent.webhook, "https://hooks.example.org/{{secret}}");
  assert.equal(sent.webhookUrl, sent.webhook);
  const { MAX_TOKENS, PUBLIC_KEY, TOKENIZER } = sent.env;
  assert.deepEqual([MAX_TOKENS, PUBLIC_KEY, TOKENIZER], ["20", "ssh-ed25519 AAAA", "fast"]);
  assert.equal(
    sent.input.prompt,
    "call it with Bearer {{secret}} and authorization: bearer {{secret}}",
  );
  assert.match(sent.input.image, /\?access_token=\{\{secret\}\}&size=2&X-Amz-Signature=\{\{secret/);
  assert.match(
    sent.query,
    /webhookUrl: "https:\/\/hooks.example.org\/\{\{secret\}\}", pageToken: "kept"/,
  );
  const local = { webhook: "http://127.0.0.1:9000/hook", input: { text: "a bearer of news" } };
  assert.deepEqual(jsonOf(call(fresh(), { body: local }).body), local);
});
