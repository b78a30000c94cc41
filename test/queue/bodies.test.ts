// Tests of bodies for operations that need none: SDKs send them absent, empty, `null` or `{}`,
// usually with a content type.

import assert from "node:assert/strict";
import { test } from "node:test";
import { startService } from "../fixtures/service/service.ts";

const json = { "content-type": "application/json" };
const bodies: [name: string, body: string | undefined, headers: Record<string, string>][] = [
  ["no body", undefined, {}],
  ["no body, but a content type", undefined, json],
  ["an empty body", "", json],
  ["null", "null", json],
  ["{}", "{}", json],
];

for (const [name, body, headers] of bodies) {
  test(`every operation except submit accepts ${name}`, async (t) => {
    const service = await startService(t, { protocol: { streamHoldMs: 10 } });
    const endpoint = await service.makeEndpoint();
    const at = `/v2/${endpoint}`;
    const { json: job } = await service.call("POST", `${at}/run`, { input: {} });
    const post = (path: string) => service.call("POST", `${at}/${path}`, body, headers);

    assert.equal((await post(`status/${job.id}`)).text, `{"id":"${job.id}","status":"IN_QUEUE"}`);
    const streamed = await post(`stream/${job.id}`);
    assert.deepEqual(streamed.json, { status: "IN_QUEUE", stream: [] });
    assert.equal((await post(`status-sync/${job.id}?wait=1`)).json.status, "IN_QUEUE");
    assert.equal((await post(`cancel/${job.id}`)).json.status, "CANCELLED");
    assert.equal((await post(`retry/${job.id}`)).json.code, "not_retriable");
    assert.deepEqual((await post("purge-queue")).json, { removed: 0, status: "completed" });
    assert.equal((await post("run")).status, 400);
    assert.equal((await post("runsync")).status, 400);
  });
}
