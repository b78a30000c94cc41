// What accompanies a release: the changelog's section, a bill of materials, and checksums of every
// file.
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { root } from "../with-node.mjs";
import { release, version } from "./npm.mjs";

/** Writes them beside the packages. `packages` are those of others that the bundle contains. */
export function writePapers(packages) {
  const text = readFileSync(path.join(root, "CHANGELOG.md"), "utf8");
  writeFileSync(path.join(release, "CHANGES.md"), changelogSection(text, version));
  const bill = `${JSON.stringify(billOfMaterials(packages), null, 2)}\n`;
  writeFileSync(path.join(release, `freehold-${version}.cdx.json`), bill);
  writeFileSync(path.join(release, "SHA256SUMS"), checksums());
}

/** The section of a version; before its release, that of the changes to come. */
export function changelogSection(text, version) {
  const sections = text.split(/^(?=## \[)/m);
  const find = (name) => sections.find((section) => section.startsWith(`## [${name}]`));
  const section = find(version) ?? find("Unreleased");
  if (!section) throw new Error(`CHANGELOG.md has no section for ${version}`);
  return `${section.trim()}\n`;
}

function sha256(file) {
  return createHash("sha256").update(readFileSync(file)).digest("hex");
}

/** In CycloneDX's format. */
function billOfMaterials(packages) {
  const components = packages.map(({ name, version, license }) => ({
    type: "library",
    "bom-ref": packageUrl(name, version),
    name,
    version,
    licenses: [
      / (?:OR|AND) /.test(license) ? { expression: license } : { license: { name: license } },
    ],
    purl: packageUrl(name, version),
  }));
  return {
    bomFormat: "CycloneDX",
    specVersion: "1.6",
    version: 1,
    metadata: { component: { type: "application", name: "freehold", version } },
    components,
  };
}

function packageUrl(name, version) {
  return `pkg:npm/${name.replace(/^@/, "%40")}@${version}`;
}

/** As `sha256sum --check` reads them. */
function checksums() {
  const files = readdirSync(release).filter((name) => name !== "SHA256SUMS");
  return files
    .sort()
    .map((name) => `${sha256(path.join(release, name))}  ${name}\n`)
    .join("");
}
