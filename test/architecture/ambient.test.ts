// Time, randomness and the environment are passed in. Each is read in one place only, so that a
// test or a simulation can control it. The domain is synchronous.

import assert from "node:assert/strict";
import { test } from "node:test";
import { type Source, sourceOf, sources } from "./sources.ts";

interface Ambient {
  what: string;
  pattern: RegExp;
  /** The files that may use it; all others receive the result. */
  only: RegExp;
}

const rules: Ambient[] = [
  {
    what: "reads the wall clock",
    pattern: /\bDate\.now\b|\bnew Date\(\)|\bperformance\.now\b|\bhrtime\b/,
    only: /^src\/(?:base\/clock|serve\/environment)\.ts$/,
  },
  {
    // `now` is set and corrected; a span is the difference of two readings of `ticks`.
    what: "measures a span by instants",
    pattern:
      /- [\w.#]*\bnow\(\)|\bnow\(\) - (?!\d|[\w.#]*(?:Ms|_MS)\b)|\bnow - (?:this\.#)?(?:began|started|last|read|measured|listed)\w*\b/,
    only: /^src\/(?:base\/(?:clock|movable-clock)|app\/clock\/virtual-time|cli\/client\/service-clock|edge\/rest-v2\/endpoint\/fleet-view|loops\/engine\/connected-since|store\/engine\/(?:group-commit|postgres\/read-pool)|domain\/.*|serve\/.*)\.ts$/,
  },
  {
    what: "sets a timer",
    pattern: /\b(?:setTimeout|setInterval)\(|node:timers/,
    only: /^src\/(?:base\/clock|serve\/(?:environment|start|protocol\/http))\.ts$/,
  },
  {
    // A limit on a wait is `within`, which stops its timer and aborts what is late.
    what: "waits for the first of several",
    pattern: /\bPromise\.race\b/,
    only: /^src\/(?:base\/(?:clock|node\/drained)|cli\/commands\/connect\/open|drivers\/(?:docker\/(?:engine|image\/images)|models\/model-cache)|edge\/http\/routes\/plain-call|serve\/worker|store\/engine\/postgres\/move\/copy-in)\.ts$/,
  },
  {
    what: "draws random numbers",
    pattern: /\bMath\.random\b/,
    only: /^src\/(?:base\/ids|serve\/environment)\.ts$/,
  },
  {
    what: "draws secrets",
    pattern: /\brandom(?:Bytes|UUID|Int|FillSync|Fill)\b/,
    only: /^src\/(?:base\/(?:ids|vault)|installation\/data-folder|serve\/protocol\/addresses|drivers\/process\/workload-folder|flows\/password\/password-hasher)\.ts$/,
  },
  {
    what: "reads the environment",
    pattern: /\bprocess\.env\b/,
    only: /^src\/(?:app\/.*|cli\/.*|intercept\/.*|serve\/environment)\.ts$/,
  },
  {
    what: "ends the process",
    pattern: /\bprocess\.exit\b/,
    only: /^src\/(?:main|app\/.*|installation\/machine-holder|cli\/.*|serve\/start|drivers\/process\/.*)\.ts$/,
  },
];

const product = sources("src").filter(({ testing }) => !testing);

for (const rule of rules) {
  test(`only ${rule.only.source} ${rule.what}`, () => {
    assert.deepEqual(breaches(rule, product), []);
  });
}

test("the domain is synchronous", () => {
  const waiting = product.filter(
    ({ room, code }) => room === "domain" && /\b(?:await|async|Promise)\b/.test(code),
  );
  assert.deepEqual(
    waiting.map(({ file }) => file),
    [],
  );
});

test("a breach is detected, and a comment is not one", () => {
  const [clock] = rules;
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
