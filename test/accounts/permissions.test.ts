// Every role and every permission, on every route and every root of GraphQL, against the table.

import assert from "node:assert/strict";
import { test } from "node:test";
import { fakeHouse } from "../pods/stage.ts";
import { committed, whoMay } from "./permissions.ts";

test("each key opens what the table says, and nothing else", async (t) => {
  const house = await fakeHouse(t, { protocol: { refuseHoldMs: 0 } });
  // After a change: node bin/run.mjs test/accounts/write-permissions.ts, and read what changed.
  assert.deepEqual(await whoMay(house), committed());
});

test("a key for one endpoint's queue opens no other's", async (t) => {
  const house = await fakeHouse(t);
  const [mine, other] = [await house.makeEndpoint(), await house.makeEndpoint()];
  const permissions = { queue: "write", endpoints: [mine] };
  const { json } = await house.call("POST", "/v1/keys", { name: "k", permissions });
  const headers = { authorization: `Bearer ${json.key}` };
  const paths = house.house.routes
    .filter(({ needs, path }) => needs.includes('"queue"') && path.includes(":endpointId"))
    .map(({ method, path }) => ({ method, path: path.replace(/:jobId|\*/, "nobody") }));
  assert.ok(paths.length > 15);
  for (const { method, path } of paths) {
    const body = method === "GET" || method === "DELETE" ? undefined : { input: {} };
    const ask = (id: string) =>
      house.call(method, `${path.replace(":endpointId", id)}?wait=1000`, body, headers);
    const refused = await ask(other);
    assert.deepEqual([refused.status, refused.json.code], [403, "forbidden"], `${method} ${path}`);
    // There a job would be waited for.
    if (path.includes("openai")) continue;
    assert.notEqual((await ask(mine)).status, 403, `${method} ${path}`);
  }
});
