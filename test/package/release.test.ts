// What lies in dist/release beside the packages, all of one version.

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { changelogSection } from "../../bin/release/papers.mjs";
import { release, root } from "./installed.ts";

const read = (file: string) => readFileSync(path.join(release, file), "utf8");
const { version } = JSON.parse(readFileSync(path.join(root, "package.json"), "utf8"));

test("every file of a release has the version in its name and a checksum that fits", () => {
  const listed = read("SHA256SUMS").trim().split("\n");
  const files = readdirSync(release).filter((name) => name !== "SHA256SUMS");
  assert.deepEqual(listed.map((line) => line.split("  ")[1]).sort(), files.sort());
  for (const line of listed) {
    const [sum, name] = line.split("  ") as [string, string];
    const content = readFileSync(path.join(release, name));
    assert.equal(createHash("sha256").update(content).digest("hex"), sum, name);
    assert.ok(name === "CHANGES.md" || name!.includes(`-${version}`), name);
  }
});

test("the bill of materials lists what the bundle contains", () => {
  const bill = JSON.parse(read(`freehold-${version}.cdx.json`));
  assert.equal(bill.bomFormat, "CycloneDX");
  assert.equal(bill.metadata.component.version, version);
  const { packages } = JSON.parse(readFileSync(path.join(root, "package-lock.json"), "utf8"));
  for (const name of ["fastify", "pg", "ssh2"]) {
    const found = bill.components.find((each: { name: string }) => each.name === name);
    assert.equal(found?.version, packages[`node_modules/${name}`].version);
    assert.equal(found.purl, `pkg:npm/${name}@${found.version}`);
  }
  const names = bill.components.map(({ name }: { name: string }) => name);
  assert.ok(names.includes("react"), "the console is in it");
  assert.ok(!names.includes("typescript"), "tools are not");
});

test("the changelog's section is that of the version, else that of the changes to come", () => {
  const text = "# Changelog\n\n## [Unreleased]\n\nnew\n\n## [1.2.0] - 2026-01-01\n\nold\n";
  assert.equal(changelogSection(text, "1.2.0"), "## [1.2.0] - 2026-01-01\n\nold\n");
  assert.equal(changelogSection(text, "1.3.0"), "## [Unreleased]\n\nnew\n");
  assert.throws(() => changelogSection("# Changelog\n", "1.3.0"), /no section for 1\.3\.0/);
  assert.match(read("CHANGES.md"), /^## \[/);
});
