// Object keys of Flash builds.

import assert from "node:assert/strict";
import { test } from "node:test";
import { buildIdOf, objectKeyOf } from "./build.ts";

test("an object key names a build of its app, and nothing else does", () => {
  assert.equal(buildIdOf("app1", objectKeyOf({ appId: "app1", id: "b1" })), "b1");
  const others = ["", "flash/app2/b1.tar.gz", "flash/app1/b1", "flash/app1/../b1.tar.gz", "b1"];
  others.push("flash/app1/b1.tar.gz/x", "flash/app1/%2e.tar.gz", "x/app1/b1.tar.gz");
  for (const key of others) assert.equal(buildIdOf("app1", key), null, key);
});
