// Tests of the GraphQL transport: the request and response rules that every client relies on.

import assert from "node:assert/strict";
import { test } from "node:test";
import { type Answer, startService, type TestService } from "../fixtures/service/service.ts";
import { ask, post } from "./ask.ts";

const anonymous = { authorization: "" };

function isRefusal(answer: Answer, status: number, code: string): void {
  assert.equal(answer.status, status, answer.text);
  assert.match(answer.headers.get("content-type") ?? "", /^application\/json/);
  const [error] = answer.json.errors;
  assert.equal(error.extensions.code, code, answer.text);
  assert.ok(typeof error.message === "string" && error.message.length > 0);
  assert.ok("data" in answer.json);
}

test("a document is accepted with variables, with null variables or without, under any content type", async (t) => {
  const service = await startService(t);
  const document = "query A { myself { id } } query B { gpuTypes { id } }";
  const bodies: object[] = [
    { query: "{ myself { id } }" },
    { query: "{ myself { id } }", variables: null },
    { query: "{ myself { id } }", variables: {}, operationName: null },
    { query: "{ myself { id } }", operationName: "", extra: 1 },
    { query: document, operationName: "A" },
    { query: "{ myself { id } }", variables: { undeclared: { deep: [1] } } },
  ];
  const labels = ["application/json", "application/json; charset=utf-8", "text/plain", "a/b"];
  for (const body of bodies) {
    for (const label of labels) {
      const headers = { "content-type": label };
      const answer = await service.call("POST", "/graphql", JSON.stringify(body), headers);
      assert.deepEqual(Object.keys(answer.json), ["data"], `${label} ${answer.text}`);
      assert.match(answer.json.data.myself.id, /^user_/);
    }
  }
});

// @urql/core 6.0.3 sends every query below 2,048 characters as a GET unless told otherwise; Apollo and gql on request.
test("a query is accepted in the query string of a GET, and a mutation is not", async (t) => {
  const service = await startService(t);
  const accept = "application/graphql-response+json, application/graphql+json, application/json";
  const get = (parameters: Record<string, string>, authorization?: string) =>
    service.call("GET", `/graphql?${new URLSearchParams(parameters)}`, undefined, {
      accept,
      ...(authorization !== undefined && { authorization }),
    });
  const query =
    "query A($id: String) { gpuTypes(input: { id: $id }) { id } myself { id } } query B { __typename }";
  const variables = JSON.stringify({ id: "NVIDIA A40" });
  const { json } = await get({ query, operationName: "A", variables });
  assert.deepEqual(json.data.gpuTypes, [{ id: "NVIDIA A40" }]);
  assert.match(json.data.myself.id, /^user_/);
  const { json: inUrl } = await get({ query: "{ myself { id } }", api_key: service.key }, "");
  assert.equal(inUrl.data.myself.id, json.data.myself.id);
  assert.deepEqual((await get({ query: "{ myself { id } }" }, "")).json, {
    data: { myself: null },
  });
  isRefusal(await get({ query: "{ __typename }" }, "Bearer fh_wrong"), 401, "unauthorized");
  isRefusal(await get({ query, operationName: "A", variables: "{" }), 200, "invalid_body");
  const extensions = '{"persistedQuery":{"version":1,"sha256Hash":"ab"}}';
  isRefusal(await get({ extensions }), 200, "persisted_query_not_supported");
  const mutation = 'mutation { secretCreate(input: { name: "a", value: "b" }) { id } }';
  const refused = await get({ query: mutation });
  isRefusal(refused, 405, "method_not_allowed");
  assert.equal(refused.headers.get("allow"), "POST");
  const { json: secrets } = await get({ query: "{ myself { secrets { id } } }" });
  assert.deepEqual(secrets, { data: { myself: { secrets: [] } } });
});

test("a key is accepted in the header or the URL; the header takes precedence", async (t) => {
  const service = await startService(t);
  const body = { query: "{ myself { id } }" };
  const ways: [path: string, authorization: string, status: number][] = [
    ["/graphql", `Bearer ${service.key}`, 200],
    ["/graphql", service.key, 200],
    [`/graphql?api_key=${service.key}`, "", 200],
    [`/graphql?api_key=wrong`, `Bearer ${service.key}`, 200],
    [`/graphql?api_key=${service.key}`, "Bearer wrong", 401],
    ["/graphql?api_key=wrong", "", 401],
    ["/graphql", "Bearer wrong", 401],
  ];
  for (const [path, authorization, status] of ways) {
    const answer = await service.call("POST", path, body, { authorization });
    if (status === 401) isRefusal(answer, 401, "unauthorized");
    else assert.match(answer.json.data?.myself?.id ?? answer.text, /^user_/, path);
  }
  const elsewhere = `/v1/templates?api_key=${service.key}`;
  assert.equal((await service.call("GET", elsewhere, undefined, anonymous)).status, 401);
});

test("without a key the catalog is readable, and myself is null", async (t) => {
  const service = await startService(t);
  const open = `{ myself { id } gpuTypes { id } cpuTypes { id } cpuFlavors { id } dataCenters { id }
    countryCodes serverlessGpuPools { id } listings { id } allAiApiPublicConfigs { id } __typename }`;
  const answer = await post(service, open, undefined, anonymous);
  assert.equal(answer.status, 200);
  assert.deepEqual(Object.keys(answer.json), ["data"], answer.text);
  assert.equal(answer.json.data.myself, null);
  const closed = [
    '{ pod(input: {podId: "a"}) { id } }',
    "{ podTemplates { id } }",
    "{ machines { id } }",
    'mutation { podStop(input: {podId: "a"}) { id } }',
    'mutation { deleteEndpoint(id: "a") }',
  ];
  for (const query of closed) {
    isRefusal(await post(service, query, undefined, anonymous), 401, "unauthorized");
  }
});

test("a key needs the permission, and a worker's key has none", async (t) => {
  const service = await startService(t);
  const keyOf = async (permissions: object) =>
    (await service.call("POST", "/v1/keys", { name: "k", permissions })).json.key as string;
  const reads = { authorization: `Bearer ${await keyOf({ graphql: "read" })}` };
  const other = { authorization: `Bearer ${await keyOf({ rest: "write" })}` };
  const read = "{ myself { id } }";
  const write = 'mutation { deleteTemplate(templateName: "a") }';
  assert.equal((await post(service, read, undefined, reads)).status, 200);
  isRefusal(await post(service, write, undefined, reads), 403, "forbidden");
  isRefusal(await post(service, read, undefined, other), 403, "forbidden");
  const worker = await service.makeWorker(await service.makeEndpoint());
  isRefusal(await post(service, read, undefined, { authorization: worker.key }), 403, "forbidden");
});

const broken: [name: string, body: string, code: string, message: RegExp][] = [
  ["no body", "", "invalid_body", /the body must be a JSON object .*missing/i],
  ["no JSON", "{ myself { id } }", "invalid_json", /not valid JSON/],
  ["a list", '[{"query": "{ myself { id } }"}]', "invalid_body", /it is a list/],
  ["no document", '{"variables": {}}', "invalid_body", /"query" must be a GraphQL document/],
  [
    "a persisted query",
    '{"extensions": {"persistedQuery": {"version": 1, "sha256Hash": "ab"}}}',
    "persisted_query_not_supported",
    /^PersistedQueryNotSupported$/,
  ],
  ["an empty document", '{"query": "  "}', "invalid_body", /"query" must be/],
  ["variables in a string", '{"query": "{a}", "variables": "{}"}', "invalid_body", /"variables"/],
  [
    "a number for a name",
    '{"query": "{a}", "operationName": 1}',
    "invalid_body",
    /"operationName"/,
  ],
  ["half a document", '{"query": "{ myself {"}', "invalid_document", /^Syntax Error/],
  ["a field that is not there", '{"query": "{ myself { ids } }"}', "invalid_document", /"ids"/],
  [
    "no such operation",
    '{"query": "query A { __typename }", "operationName": "B"}',
    "invalid_document",
    /no operation "B"/,
  ],
  [
    "several operations",
    '{"query": "query A { __typename } query B { __typename }"}',
    "invalid_document",
    /several operations/,
  ],
  [
    "a subscription",
    '{"query": "subscription { myself { id } }"}',
    "invalid_document",
    /subscription/,
  ],
  ["only a fragment", '{"query": "fragment A on User { id }"}', "invalid_document", /./],
];

test("an invalid request is refused with status 200", async (t) => {
  const service = await startService(t);
  for (const [name, body, code, message] of broken) {
    const answer = await service.call("POST", "/graphql", body, {
      "content-type": "application/json",
    });
    isRefusal(answer, 200, code);
    assert.match(answer.json.errors[0].message, message, name);
  }
});

test("an error names the variable of a wrong type", async (t) => {
  const service = await startService(t);
  const document = "query ($input: GpuTypeFilter) { gpuTypes(input: $input) { id } }";
  for (const input of [{ id: 1 }, { nope: "a" }, "text", { ids: [null] }]) {
    const answer = await post(service, document, { input });
    isRefusal(answer, 200, "invalid_document");
    assert.match(answer.json.errors[0].message, /"\$input"/, JSON.stringify(input));
  }
  const deep = JSON.parse(`${"[".repeat(200)}${"]".repeat(200)}`);
  isRefusal(await post(service, document, { input: deep }), 200, "too_deep");
});

const refusedLiterals: [document: string, message: RegExp][] = [
  ["gpuTypes(input: {id: 1}) { id }", /^"input\.id" has an invalid value: String cannot/],
  ["gpuTypes(input: {ids: [1]}) { id }", /^"input\.ids" has an invalid value: String cannot/],
  [
    "gpuTypes { lowestPrice(input: {gpuCount: 1.5}) { gpuName } }",
    /^"input\.gpuCount" has an invalid value: Int cannot represent non-integer value: 1\.5/,
  ],
];

test("an error names the field of a wrong value in a document", async (t) => {
  const service = await startService(t);
  for (const [text, message] of refusedLiterals) {
    const answer = await post(service, `{ ${text} }`);
    isRefusal(answer, 200, "invalid_document");
    assert.match(answer.json.errors[0].message, message, text);
  }
  const answer = await post(
    service,
    "query ($id: String = 1) { gpuTypes(input: {id: $id}) { id } }",
  );
  assert.match(answer.json.errors[0].message, /^"\$id" has an invalid value/);
});

test("a number that no Float holds is refused in a document as it is in a variable", async (t) => {
  const service = await startService(t);
  for (const cost of ["1e400", "-1e400", `1${"0".repeat(400)}`]) {
    const deploy = (text: string) =>
      `podFindAndDeployOnDemand(input: {deployCost: ${text}}) { id }`;
    const literal = await post(service, `mutation { ${deploy(cost)} }`);
    isRefusal(literal, 200, "invalid_document");
    assert.match(literal.json.errors[0].message, /^"input\.deployCost" .*Float cannot represent/);
    const query = `mutation ($cost: Float) { ${deploy("$cost")} }`;
    const body = `{"query": ${JSON.stringify(query)}, "variables": {"cost": ${cost}}}`;
    const variable = await service.call("POST", "/graphql", body);
    isRefusal(variable, 200, "invalid_document");
  }
});

test("an empty text for an enumeration is treated as absent", async (t) => {
  const service = await startService(t);
  const document =
    "mutation ($input: EndpointInput!) { saveEndpoint(input: $input) { flashBootType } }";
  const { json: template } = await service.call("POST", "/v1/templates", {
    name: "t",
    imageName: "i",
    driver: "simulated",
  });
  const input = { name: "eee", templateId: template.id, flashBootType: "", minCudaVersion: "" };
  const { saveEndpoint } = await ask(service, document, { input });
  assert.equal(saveEndpoint.flashBootType, "FLASHBOOT");
});

test("a method that is neither GET nor POST is 405", async (t) => {
  const service = await startService(t);
  for (const method of ["PUT", "DELETE"]) {
    const answer = await service.call(method, "/graphql?query={myself{id}}");
    assert.deepEqual([answer.status, answer.json.code], [405, "method_not_allowed"], method);
    assert.match(answer.headers.get("allow") ?? "", /POST/);
  }
});

test("a mutation repeated with an Idempotency-Key has one effect", async (t) => {
  const service = await startService(t);
  const make = (name: string, more = "") =>
    post(
      service,
      `mutation { saveTemplate(input: {name: "${name}", imageName: "i"}) { id } ${more} }`,
      undefined,
      { "idempotency-key": "once" },
    );
  const [first, second] = [await make("a"), await make("a")];
  assert.ok(first.json.data.saveTemplate.id);
  assert.deepEqual(first.json, second.json);
  isRefusal(await make("b"), 200, "idempotency_conflict");
  isRefusal(await make("a", 'deleteTemplate(templateName: "x")'), 200, "invalid_query");
});

async function typesSeen(service: TestService): Promise<string[]> {
  const answer = await post(service, "{ __schema { types { name } } }");
  return answer.json.data?.__schema.types.map(({ name }: { name: string }) => name) ?? [];
}

test("the schema can be introspected unless that is disabled", async (t) => {
  const [service, closed] = await Promise.all([
    startService(t),
    startService(t, { env: { FREEHOLD_INTROSPECTION: "off" } }),
  ]);
  assert.ok((await typesSeen(service)).includes("deployCpuPodInput"));
  assert.deepEqual(await typesSeen(closed), []);
  isRefusal(await post(closed, "{ __schema { types { name } } }"), 200, "invalid_document");
  assert.deepEqual(await ask(closed, "{ __typename }"), { __typename: "Query" });
});
