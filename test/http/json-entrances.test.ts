// JSON bodies at every entrance: byte order marks, content encodings and media types, instants, and the bytes
// that an echo returns.

import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import { jsonArgument } from "../../src/cli/program/json-argument.ts";
import { readConfig } from "../../src/config/config.ts";
import { startService, type TestService } from "../fixtures/service/service.ts";

/** A route of each parser of bodies, with a body that it takes. */
function entrances(endpointId: string): [path: string, body: unknown][] {
  const template = { name: `t ${Math.random()}`, imageName: "image" };
  return [
    [`/v2/${endpointId}/run`, { input: {} }],
    [`/v2/${endpointId}/runsync?wait=1`, { input: {} }],
    ["/v1/templates", template],
    ["/v2/templates", { name: `v2 ${Math.random()}`, image: "image" }],
    ["/graphql", { query: "{ myself { id } }" }],
    ["/v1/schedules", { endpointId, name: "s", cron: "0 0 1 1 *", input: {} }],
    ["/v1/batches", { endpointId, items: [{ input: {} }] }],
  ];
}

function post({ origin, key }: TestService, path: string, body: Buffer, headers = {}) {
  return fetch(`${origin}${path}`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json", ...headers },
    body: new Uint8Array(body),
  });
}

test("every entrance of JSON takes a byte order mark, and no encoded or multipart body", async (t) => {
  const service = await startService(t, { drivers: "simulated" });
  const template = { driver: "simulated" as const, dockerStartCmd: ["simulate", "--echo"] };
  const endpoint = await service.makeEndpoint({ template });
  for (const [path, body] of entrances(endpoint)) {
    const json = Buffer.from(JSON.stringify(body));
    const marked = await post(service, path, Buffer.concat([Buffer.from("\ufeff"), json]));
    assert.ok(marked.status < 300, `${path}: ${marked.status} ${await marked.text()}`);
    for (const [bytes, headers, type] of [
      [gzipSync(json), { "content-encoding": "gzip" }, /content encoding gzip/],
      [json, { "content-type": "multipart/form-data; boundary=x" }, /multipart\/form-data/],
    ] as const) {
      const refused = await post(service, path, bytes, headers);
      const text = await refused.text();
      assert.equal(refused.status, 415, `${path}: ${text}`);
      assert.match(text, type);
      assert.match(text, /must be JSON/);
    }
  }

  for (const type of ["json", "application/", ""]) {
    for (const [path, body] of entrances(endpoint)) {
      const json = Buffer.from(JSON.stringify(body));
      const taken = await post(service, path, json, { "content-type": type });
      assert.ok(taken.status < 300, `${path} as "${type}": ${taken.status} ${await taken.text()}`);
    }
  }

  // A text that is no instant is refused with what is expected, wherever a schema has a format.
  for (const [method, path, body, field] of [
    [
      "POST",
      "/v1/pods",
      { imageName: "i", computeType: "CPU", stopAfter: "2027-01-31" },
      "stopAfter",
    ],
    ["POST", "/v1/pods", { imageName: "i", terminateAfter: "soon" }, "terminateAfter"],
    [
      "PATCH",
      `/v1/machines/${service.service.replica.machine}`,
      { maintenanceStart: "2027-01-31" },
      "maintenanceStart",
    ],
  ] as const) {
    const { status, text } = await service.call(method, path, body);
    assert.equal(status, 400);
    assert.match(text, new RegExp(`${field}\\\\?" must be an instant`), text);
  }

  // The simulated driver's echo returns the bytes that it was given.
  const input =
    '{"big":12345678901234567890,"f":1.0,"e":1E400,"s":"\\u00e9\\/","k":1,"k":2 ,"a":[ ]}';
  const echoed = await post(
    service,
    `/v2/${endpoint}/runsync?wait=60000`,
    Buffer.from(`{"input":${input}}`),
  );
  const text = await echoed.text();
  assert.ok(text.includes(`"output":${input}`), text);
});

test("JSON in files may begin with a byte order mark: configuration, catalog and the command line", async (t) => {
  const folder = mkdtempSync(path.join(tmpdir(), "freehold-json-"));
  t.after(() => rmSync(folder, { recursive: true }));
  const write = (name: string, value: unknown) =>
    writeFileSync(path.join(folder, name), `\ufeff${JSON.stringify(value)}`);
  write("freehold.json", { listen: "127.0.0.1:8799", catalog: "catalog.json" });
  write("catalog.json", {});
  assert.equal(readConfig({}, {}, folder).port, 8799);
  const limits = '\ufeff{"run": {"requests": 7}}';
  assert.equal(readConfig({}, { FREEHOLD_RATE_LIMITS: limits }, folder).port, 8799);
  assert.equal(await jsonArgument("--input", `@${path.join(folder, "catalog.json")}`), "{}");
});
