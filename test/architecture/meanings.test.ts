// An exported type has one owner, so that its name has one meaning in the whole of src. The interfaces as clients see them
// (contract, and what GraphQL generates) have the nouns of the domain, and the worker library (serve) is published on its own.

import assert from "node:assert/strict";
import { test } from "node:test";
import { type Source, sourceOf, sources } from "./sources.ts";

const EXPORTED_TYPE = /^export (?:declare |abstract )*(?:class|interface|type) (\w+)/gm;
const APART = /^src\/(?:contract|serve)\/|\.generated\.ts$/;

test("no two modules export a type of the same name", () => {
  assert.deepEqual(shared(sources("src")), []);
});

test("a type with two owners is detected", () => {
  const owner = (file: string) => sourceOf(file, "export interface Share {}\n");
  const all = ["src/domain/a/a.ts", "src/store/b/b.ts", "src/contract/c.ts"].map(owner);
  assert.deepEqual(shared(all), ["Share: src/domain/a/a.ts, src/store/b/b.ts"]);
});

function shared(all: Source[]): string[] {
  const product = all.filter(({ file, testing }) => !testing && !APART.test(file));
  const exported = product.flatMap(({ file, code }) =>
    [...code.matchAll(EXPORTED_TYPE)].map(([, name = ""]) => ({ name, file })),
  );
  return [...Map.groupBy(exported, ({ name }) => name)]
    .filter(([, owners]) => owners.length > 1)
    .map(([name, owners]) => `${name}: ${owners.map(({ file }) => file).join(", ")}`);
}
