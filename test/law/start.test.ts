// What a start reads: a package that only some services need is read with its first use, for each costs
// every other service tens of milliseconds and megabytes.

import assert from "node:assert/strict";
import { test } from "node:test";
import { importsOf, sources } from "./sources.ts";

const imports = new Map(sources("src").map((source) => [source.file, importsOf(source)]));

/** The packages that a file needs before its first line is run. */
function packagesOf(first: string): string[] {
  const files = new Set([first]);
  const packages = new Set<string>();
  for (const file of files) {
    for (const { ours, typesOnly, later, target } of imports.get(file) ?? []) {
      if (typesOnly || later) continue;
      if (ours) files.add(target);
      else if (!target.startsWith("node:")) packages.add(target.split("/")[0]!);
    }
  }
  return [...packages].sort();
}

test("a start reads no package that only some services need", () => {
  assert.deepEqual(packagesOf("src/app/up.ts"), ["fastify", "pino", "typebox", "ws"]);
});

test("what is read later is needed there", () => {
  assert.deepEqual(packagesOf("src/store/dialect/postgres/open.ts"), ["pg"]);
  assert.ok(packagesOf("src/drivers/docker/docker-driver.ts").includes("dockerode"));
});
