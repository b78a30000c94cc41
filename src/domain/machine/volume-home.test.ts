import assert from "node:assert/strict";
import { test } from "node:test";
import { volumeHomeOf } from "./volume-home.ts";

test("a network volume's home is its machine, or the cluster that shares it", () => {
  const node = { remote: "k", name: "n1" };
  const home = (drivers: string[], inventory: Parameters<typeof volumeHomeOf>[0]["inventory"]) =>
    volumeHomeOf({ machine: "m", drivers, inventory });
  assert.equal(home(["docker", "process"], {}), "m");
  assert.equal(home(["kubernetes"], { node }), null);
  assert.equal(home(["kubernetes"], { node: { ...node, networkVolumes: "pinned" } }), "m");
  assert.equal(home(["kubernetes"], { node: { ...node, networkVolumes: "shared" } }), "k");
});
