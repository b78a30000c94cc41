// What requests name, by their fields.

import assert from "node:assert/strict";
import { test } from "node:test";
import { referencesIn } from "./references.ts";

const volume = (id: string) => ({ kind: "networkVolume", id });

test("names in lists and objects at any depth are found once, and those in text of the caller's own are not", () => {
  const body = {
    templateId: "t",
    networkVolumes: ["a", "b"],
    mounts: { network: [{ volumeId: "a", path: "/" }] },
    env: { templateId: "x" },
    input: { podId: "x" },
    registry: null,
    podId: "",
  };
  assert.deepEqual(referencesIn(body), [{ kind: "template", id: "t" }, volume("a"), volume("b")]);
  const args = Object.assign(Object.create(null), { volumeId: "c" });
  assert.deepEqual(referencesIn([{ networkVolumeIds: [args] }]), [volume("c")]);
});

test("bytes that were not parsed name nothing", () => {
  class Query {
    volumeId = "d";
  }
  assert.deepEqual(referencesIn(new Query()), [volume("d")], "a query is of a class of its own");
  assert.deepEqual(referencesIn({ scanned: Buffer.from("{}"), size: 1 }), []);
  assert.deepEqual(referencesIn(Object.assign(Buffer.from("a"), { podId: "x" })), []);
});
