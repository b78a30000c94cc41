// Tests of the files that a container of a cluster gets before it starts.

import assert from "node:assert/strict";
import { test } from "node:test";
import { StartRefused, type Workload } from "../../driver.ts";
import { podFilesOf } from "./pod-files.ts";
import { podObject } from "./pod-object.ts";

const owner = { installation: "i", machine: "m" };
const NODE = { name: "n1", gpuResource: "nvidia.com/gpu", gpuRuntimeClass: null };
const workload = (more: Partial<Workload>): Workload => {
  return { id: "w", image: "acme/llm", entrypoint: [], command: [], env: {}, ...more };
};
const root = { path: "/etc/freehold/root.pem", content: "root" };
const roots = { path: "/etc/freehold/roots.pem", content: "root, others" };

test("a file is mounted over its path alone, from a Secret of the namespace", () => {
  const withFiles = workload({ files: [roots, root], account: "a" });
  const { secret } = podFilesOf(withFiles, owner)!;
  assert.deepEqual(Object.values(secret.stringData), ["root, others", "root"]);
  const { metadata, spec } = podObject(withFiles, owner, NODE);
  assert.equal(metadata.namespace, secret.metadata.namespace);
  const volume = spec.volumes.find((each) => "secret" in each);
  assert.deepEqual(volume, { name: "files", secret: { secretName: secret.metadata.name } });
  const mounts = spec.containers[0]!.volumeMounts.filter(({ name }) => name === "files");
  assert.deepEqual(mounts, [
    { name: "files", mountPath: roots.path, subPath: "file-0", readOnly: true },
    { name: "files", mountPath: root.path, subPath: "file-1", readOnly: true },
  ]);
});

test("the Pods of an account share the Secret of one content", () => {
  const nameOf = (more: Partial<Workload>, machine = "m") => {
    const { metadata } = podFilesOf(workload(more), { installation: "i", machine })!.secret;
    return `${metadata.namespace}/${metadata.name}`;
  };
  const name = nameOf({ files: [root] });
  assert.equal(nameOf({ id: "other", files: [{ ...root, path: "/elsewhere" }] }, "m2"), name);
  assert.notEqual(nameOf({ files: [roots] }), name);
  assert.notEqual(nameOf({ files: [root], account: "b" }), name);
});

test("what no Secret can hold is refused with a sentence", () => {
  const archive = { path: "/a.tar.gz", content: { file: "/tmp/a", size: 1 } };
  const large = { path: "/large", content: "é".repeat(524_289) };
  const table: [file: typeof archive | typeof large, sentence: RegExp][] = [
    [archive, /cannot give a Pod the archive \/a\.tar\.gz\.$/],
    [large, /have 1048578 bytes; a Secret of Kubernetes holds at most 1048576\.$/],
  ];
  for (const [file, sentence] of table) {
    const refuse = () => podObject(workload({ files: [file] }), owner, NODE);
    assert.throws(refuse, (error) => error instanceof StartRefused && sentence.test(error.message));
  }
});

test("a Pod without files has no such volume; names of one address are one entry", () => {
  const hosts = { "a.test": "127.0.0.1", "b.test": "127.0.0.1", "c.test": "10.0.0.1" };
  const { spec } = podObject(workload({ hosts }), owner, NODE);
  assert.deepEqual(
    spec.volumes.map(({ name }) => name),
    ["shm"],
  );
  assert.deepEqual(spec.hostAliases, [
    { ip: "127.0.0.1", hostnames: ["a.test", "b.test"] },
    { ip: "10.0.0.1", hostnames: ["c.test"] },
  ]);
});
