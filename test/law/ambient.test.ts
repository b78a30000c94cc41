// Time, chance and the environment are passed in. Each is read in one place only, so that a test or
// a simulation can own it; and what the domain decides takes no time at all.

import assert from "node:assert/strict";
import { test } from "node:test";
import { type Source, sourceOf, sources } from "./sources.ts";

interface Ambient {
  what: string;
  pattern: RegExp;
  /** The files that may; everybody else is handed the result. */
  only: RegExp;
}

const law: Ambient[] = [
  {
    what: "reads the wall clock",
    pattern: /\bDate\.now\b|\bnew Date\(\)|\bperformance\.now\b|\bhrtime\b/,
    only: /^src\/(?:base\/clock|serve\/world)\.ts$/,
  },
  {
    what: "sets a timer",
    pattern: /\b(?:setTimeout|setInterval)\(|node:timers/,
    only: /^src\/(?:base\/clock|serve\/(?:world|start|http))\.ts$/,
  },
  {
    what: "throws dice",
    pattern: /\bMath\.random\b/,
    only: /^src\/serve\/world\.ts$/,
  },
  {
    what: "draws secrets",
    pattern: /\brandom(?:Bytes|UUID|Int|FillSync|Fill)\b/,
    only: /^src\/(?:base\/(?:ids|vault)|app\/data-folder|serve\/addresses|drivers\/process\/workload-folder)\.ts$/,
  },
  {
    what: "reads the environment",
    pattern: /\bprocess\.env\b/,
    only: /^src\/(?:main|app\/.*|serve\/world)\.ts$/,
  },
  {
    what: "ends the process",
    pattern: /\bprocess\.exit\b/,
    only: /^src\/(?:main|app\/.*|serve\/start|drivers\/process\/.*)\.ts$/,
  },
];

const product = sources("src").filter(({ testing }) => !testing);

for (const rule of law) {
  test(`nobody ${rule.what} but ${rule.only.source}`, () => {
    assert.deepEqual(breaches(rule, product), []);
  });
}

test("the domain neither waits nor promises", () => {
  const waiting = product.filter(
    ({ room, code }) => room === "domain" && /\b(?:await|async|Promise)\b/.test(code),
  );
  assert.deepEqual(
    waiting.map(({ file }) => file),
    [],
  );
});

test("a breach is seen, a comment is not one", () => {
  const [clock] = law;
  const source = (text: string) => [sourceOf("src/domain/x.ts", text)];
  assert.equal(breaches(clock!, source("const now = Date.now();\n")).length, 1);
  assert.equal(breaches(clock!, source("// Date.now() is not read here\n")).length, 0);
  assert.equal(breaches(clock!, source("/** Not Date.now() */\nlet a;\n")).length, 0);
});

function breaches({ pattern, only }: Ambient, files: Source[]): string[] {
  return files
    .filter(({ file, code }) => !only.test(file) && pattern.test(code))
    .map(({ file }) => file);
}
