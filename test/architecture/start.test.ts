// The packages that a start loads. A package that only some services need is loaded at its first
// use, because each costs tens of milliseconds and megabytes.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { importsOf, sources } from "./sources.ts";

const imports = new Map(sources("src").map((source) => [source.file, importsOf(source)]));

/** What is imported from outside before a file's first line runs. */
function importedBy(first: string): string[] {
  const files = new Set([first]);
  const outside = new Set<string>();
  for (const file of files) {
    for (const { ours, typesOnly, later, target } of imports.get(file) ?? []) {
      if (typesOnly || later) continue;
      (ours ? files : outside).add(target);
    }
  }
  return [...outside].sort();
}

function packagesOf(first: string): string[] {
  const packages = importedBy(first).filter((target) => !target.startsWith("node:"));
  return [...new Set(packages.map((target) => target.split("/")[0]!))];
}

test("a start loads node:http without the client of HTTP and WebSocket, by base/node/http.ts", () => {
  const starts = ["src/app/boot/up.ts", "src/cli/commands/up.ts", "src/drivers/docker/engine.ts"];
  for (const file of starts) assert.ok(!importedBy(file).includes("node:http"), file);
});

test("a start loads no package that only some services need", () => {
  assert.deepEqual(packagesOf("src/app/boot/up.ts"), [
    "fastify",
    "pino",
    "prom-client",
    "typebox",
    "ws",
  ]);
});

test("the command line loads no package before it knows the command", () => {
  assert.deepEqual(packagesOf("src/main.ts"), []);
});

test("a start loads nothing of OpenTelemetry, which is loaded where tracing is on", () => {
  const isTelemetry = (name: string) => name === "@opentelemetry";
  const loading = [...imports]
    .filter(([, list]) =>
      list.some(({ target, typesOnly }) => !typesOnly && isTelemetry(target.split("/")[0]!)),
    )
    .map(([file]) => file);
  assert.ok(loading.every((file) => file.startsWith("src/app/tracing/")));
  assert.ok(packagesOf("src/app/tracing/open-tracer.ts").some(isTelemetry));
  assert.ok(!packagesOf("src/main.ts").concat(packagesOf("src/app/boot/up.ts")).some(isTelemetry));
});

test("a package that is loaded later is imported where it is needed", () => {
  assert.deepEqual(packagesOf("src/store/engine/postgres/open.ts"), ["pg"]);
  assert.ok(packagesOf("src/drivers/docker/docker-driver.ts").includes("dockerode"));
});

test("what builds the packages brings every package that their code imports", () => {
  const installed = [...dependenciesOf("package.json"), ...dependenciesOf("bin/package.json")];
  const isInstalled = (name: string) =>
    installed.includes(name) || installed.includes(`@types/${name}`);
  const published = sources("src", "packages").filter(({ testing }) => !testing);
  const missing = published.flatMap((source) =>
    importsOf(source)
      .filter(({ ours, target }) => !ours && !/^(?:node:|freehold-)/.test(target))
      .map(({ target }) => packageNameOf(target))
      .filter((name) => !isInstalled(name))
      .map((name) => `${source.file}: ${name}`),
  );
  assert.deepEqual(missing, []);
});

function dependenciesOf(manifest: string): string[] {
  const file = path.join(import.meta.dirname, "..", "..", manifest);
  const { dependencies, devDependencies } = JSON.parse(readFileSync(file, "utf8"));
  return Object.keys({ ...dependencies, ...devDependencies });
}

const packageNameOf = (target: string) =>
  target.split("/", target.startsWith("@") ? 2 : 1).join("/");
