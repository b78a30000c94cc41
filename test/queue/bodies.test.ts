// Bodies of operations that need none: SDKs send them absent, empty, `null` or `{}`, and most name
// a content type all the same.

import assert from "node:assert/strict";
import { test } from "node:test";
import { startHouse } from "../house.ts";

const json = { "content-type": "application/json" };
const bodies: [name: string, body: string | undefined, headers: Record<string, string>][] = [
  ["no body", undefined, {}],
  ["no body, but a content type", undefined, json],
  ["an empty body", "", json],
  ["null", "null", json],
  ["{}", "{}", json],
];

for (const [name, body, headers] of bodies) {
  test(`${name} will do for every operation but a submit`, async (t) => {
    const house = await startHouse(t, { protocol: { streamHoldMs: 10 } });
    const endpoint = await house.makeEndpoint();
    const at = `/v2/${endpoint}`;
    const { json: job } = await house.call("POST", `${at}/run`, { input: {} });
    const post = (path: string) => house.call("POST", `${at}/${path}`, body, headers);

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
