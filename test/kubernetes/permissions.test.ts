// The permissions that Freehold checks, those of the Helm chart, and those in the documentation are the same.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { load } from "js-yaml";
import { PERMISSIONS } from "../../src/drivers/kubernetes/site/permissions.ts";

const root = path.join(import.meta.dirname, "..", "..");

/** Its groups, resources and actions, in the order of the file. */
type Rule = Record<string, string[]>;

const checked = PERMISSIONS.flatMap(({ group, resource, actions }) =>
  actions.map((action) => `${action} ${resource} ${group}`),
).sort();

test("the chart's ClusterRole has exactly the permissions that are checked", () => {
  const file = path.join(root, "deploy", "chart", "files", "rules.yaml");
  const rules = load(readFileSync(file, "utf8")) as Rule[];
  const granted = rules.flatMap((rule) => {
    const [groups = [], resources = [], actions = []] = Object.values(rule);
    return groups.flatMap((group) =>
      resources.flatMap((resource) => actions.map((action) => `${action} ${resource} ${group}`)),
    );
  });
  assert.deepEqual(granted.sort(), checked);
});

test("the documentation lists exactly the permissions that are checked", () => {
  const page = readFileSync(path.join(root, "docs", "kubernetes.md"), "utf8");
  const [, table = ""] = page.split("| resource | verbs |\n| --- | --- |\n");
  const lines = table.slice(0, table.indexOf("\n\n")).split("\n");
  const documented = lines.flatMap((line) => {
    const [, resources = "", actions = ""] = line.split("|");
    const [kinds = "", group = ""] = resources.split(" of ");
    return kinds.split(",").flatMap((kind) =>
      actions
        .replace(/\(.*\)/, "")
        .split(",")
        .map((action) => `${action.trim()} ${kind.trim()} ${group.trim()}`.replaceAll("`", "")),
    );
  });
  assert.deepEqual(documented.sort(), checked);
});
