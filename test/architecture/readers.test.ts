// A field that a schema has and its reader forgets does not compile. The compiler runs over a copy of the source with one more
// field in each body, and names the readers.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import {
  cpSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import os from "node:os";
import path from "node:path";
import { test } from "node:test";
import { sources } from "./sources.ts";

const ROOT = path.join(import.meta.dirname, "..", "..");

/** The bodies whose readers end with the check, by the first of their types that the compiler names. */
const bodies = [
  "ContainerRequest",
  "CreateClusterInput",
  "EndpointCreate",
  "EndpointInput",
  "MachineCreate",
  "PodCreate",
  "PodEditJobInput",
  "PodFindAndDeployOnDemandInput",
  "PodPatch",
  "Policy",
  "PriceBookUpdate",
  "SandboxCreate",
  "SaveTemplateInput",
  "ScheduleCreate",
  "TemplateCreate",
];

/** The checks of a file, which each fail once a field is left. */
const CHECK = /satisfies (?:Record<string, never>|Whole<.*>);/g;

test("a reader that forgets a field of its body does not compile", (t) => {
  const copy = mkdtempSync(path.join(os.tmpdir(), "freehold-readers-"));
  t.after(() => rmSync(copy, { recursive: true, force: true }));
  const source = path.join(copy, "src");
  cpSync(path.join(ROOT, "src"), source, {
    recursive: true,
    filter: (file) => !file.endsWith(".test.ts"),
  });
  symlinkSync(path.join(ROOT, "node_modules"), path.join(copy, "node_modules"));
  const { compilerOptions } = JSON.parse(readFileSync(path.join(ROOT, "tsconfig.json"), "utf8"));
  const settings = JSON.stringify({ compilerOptions, include: ["src/edge"] });
  writeFileSync(path.join(copy, "tsconfig.json"), settings);
  writeFileSync(path.join(copy, "package.json"), '{ "type": "module" }');
  addFields(source);
  const tsc = path.join(ROOT, "node_modules", ".bin", "tsc");
  const { stdout } = spawnSync(tsc, ["-p", copy, "--pretty", "false"], {
    cwd: copy,
    encoding: "utf8",
  });
  const failed = [
    ...stdout.matchAll(/^(\S+)\(\d+,\d+\): error .*'(?:Record<string, never>|never)'/gm),
  ].map(([, file]) => file!);
  const checks = sources("src/edge").flatMap(({ file, code }) =>
    [...code.matchAll(CHECK)].map(() => file),
  );
  assert.deepEqual(failed.sort(), checks.sort(), stdout.slice(0, 4_000));
  const names = new Set([...stdout.matchAll(/Property 'unread(\w*)'/g)].map(([, name]) => name!));
  // Bodies without a type of their own have no name.
  names.delete("");
  assert.deepEqual([...names].sort(), bodies);
});

/** One to each body with a type in the contract, to each that an operation declares, and to each input of GraphQL. */
function addFields(source: string): void {
  const contract = path.join(source, "contract");
  const files = readdirSync(contract, { recursive: true, encoding: "utf8" });
  for (const name of files.filter((each) => each.endsWith(".ts"))) {
    rewrite(path.join(contract, name), (text) =>
      text.replace(
        /^export type (\w+(?:Create|Update|Patch|Request)|Policy) = Static<typeof \w+>/gm,
        "$& & { unread$1?: string }",
      ),
    );
  }
  const serve = path.join(source, "edge", "management", "serve", "serve.ts");
  rewrite(serve, (text) =>
    text.replace(
      "? Static<Body> : undefined;",
      "? Static<Body> & { unread?: string } : undefined;",
    ),
  );
  rewrite(path.join(source, "edge", "graphql", "schema", "types.generated.ts"), (text) =>
    text.replace(/^export type (\w+Input) = \{/gm, "$& unread$1?: string | null;"),
  );
}

function rewrite(file: string, change: (text: string) => string): void {
  writeFileSync(file, change(readFileSync(file, "utf8")));
}
