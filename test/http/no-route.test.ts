// Where there is no route, the answer says so, and never that the key is wrong.

import assert from "node:assert/strict";
import { test } from "node:test";
import { startHouse } from "../house.ts";

test("an address without a route is 404, one with another method 405", async (t) => {
  const house = await startHouse(t);
  for (const authorization of [`Bearer ${house.key}`, "", "Bearer wrong"]) {
    const headers = { authorization };
    const none = await house.call("GET", "/nope", undefined, headers);
    assert.equal(none.json.code, "route_not_found");
    assert.equal(none.status, 404);
    const half = await house.call("GET", "/v2/any/job-take/", undefined, headers);
    assert.equal(half.json.code, "route_not_found");
    const other = await house.call("DELETE", "/v2/any/run", undefined, headers);
    assert.equal(other.json.code, "method_not_allowed");
    assert.equal(other.headers.get("allow"), "POST");
  }
});
