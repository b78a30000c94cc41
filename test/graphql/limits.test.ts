// Tests of hostile documents: each is rejected cheaply, and the next request is answered.

import assert from "node:assert/strict";
import { test } from "node:test";
import { getIntrospectionQuery } from "graphql";
import { startService } from "../fixtures/service/service.ts";
import { ask, post } from "./ask.ts";

const times = (n: number, part: (n: number) => string) =>
  Array.from({ length: n }, (_, at) => part(at)).join(" ");
const nested = (n: number, open: string, inside: string, close: string) =>
  `${open.repeat(n)}${inside}${close.repeat(n)}`;

const hostile: [name: string, query: string, message: RegExp][] = [
  ["100,000 aliases", `{ ${times(100_000, (n) => `a${n}:a`)} }`, /12000 tokens/],
  ["many aliases", `{ ${times(200, (n) => `a${n}: myself { id }`)} }`, /120 aliases/],
  [
    "aliased mutations",
    `mutation { ${times(121, (n) => `a${n}: createFlashAuthRequest { id }`)} }`,
    /120 aliases/,
  ],
  ["the same field again and again", `{ myself { ${times(5_000, () => "id")} } }`, /1000 fields/],
  ["very deep", `{ myself { ${nested(4_000, "pods { machine { ", "id", "} }")} } }`, /levels/],
  [
    "deep through real fields",
    `{ myself { ${nested(12, "endpoints { pods { endpoint { ", "id", "} } }")} } }`,
    /levels|"endpoints"/,
  ],
  [
    "deep lists in a value",
    `{ gpuTypes(input: {ids: ${nested(5_000, "[", "", "]")}}) { id } }`,
    /60 levels/,
  ],
  ["deep types", `query ($a: ${nested(2_000, "[", "Int", "]")}) { myself { id } }`, /60 levels/],
  [
    "lists of lists of lists",
    "{ dataCenters { gpuAvailability { gpuType { nodeGroupDatacenters { gpuAvailability { gpuType { nodeGroupDatacenters { gpuAvailability { id } } } } } } } } }",
    /fields in its answer/,
  ],
  [
    "two lists of the catalog, again and again",
    "{ dataCenters { gpuAvailability { gpuType { nodeGroupDatacenters { gpuAvailability { id } } } } } }",
    /fields in its answer/,
  ],
  [
    "many directives",
    `{ myself ${times(20_000, () => "@skip(if: false)")} { id } }`,
    /12000 tokens/,
  ],
  ["a long text", `{ gpuTypes(input: {id: "${"a".repeat(900_000)}"}) { id } }`, /^$/],
  [
    "fragments in a circle",
    "{ myself { ...a } } fragment a on User { ...b } fragment b on User { ...a }",
    /spread/,
  ],
  [
    "fragments that double",
    `{ myself { ...f0 } } ${times(40, (n) => `fragment f${n} on User { pods { id } ...f${n + 1} ...f${n + 1} }`)} fragment f40 on User { id }`,
    /fields in its answer/,
  ],
];

test("a document over a limit is refused", async (t) => {
  const service = await startService(t);
  for (const [name, query, message] of hostile) {
    const answer = await post(service, query);
    assert.equal(answer.status, 200, name);
    const error = answer.json.errors?.[0].message ?? "";
    assert.match(error, message, `${name}: ${error.slice(0, 300)}`);
  }
  const { myself } = await ask(service, "{ myself { id } }");
  assert.ok(myself.id);
});

test("a body over one megabyte is refused as too large", async (t) => {
  const service = await startService(t);
  const answer = await post(service, `{ ${times(200_000, (n) => `a${n}: myself { id }`)} }`);
  assert.deepEqual([answer.status, answer.json.code], [413, "payload_too_large"]);
  assert.equal(answer.json.errors[0].extensions.code, "payload_too_large");
});

test("a rejected document leaves no memory behind", async (t) => {
  const service = await startService(t);
  const query = `{ ${times(60_000, (n) => `a${n}: myself { id }`)} }`;
  await post(service, query);
  const before = process.memoryUsage().rss;
  for (let n = 0; n < 20; n++) await post(service, `${query} # ${n}`);
  const grown = process.memoryUsage().rss - before;
  assert.ok(grown < 150 * 1_048_576, `${Math.round(grown / 1_048_576)} MB`);
});

test("the largest documents of real tools are accepted", async (t) => {
  const service = await startService(t);
  assert.ok((await ask(service, getIntrospectionQuery())).__schema);
  const types = times(
    54,
    (n) => `t${n}: gpuTypes(input: {id: "${n}"}) { id lowestPrice { stockStatus } }`,
  );
  assert.ok(await ask(service, `{ ${types} }`));
});
