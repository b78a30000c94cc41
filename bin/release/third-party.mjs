// The packages of others that the bundle and the console contain, and the text of their licenses.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { root } from "../with-node.mjs";

/** The packages in `folders`, and those of the console, sorted, each version once. */
export function bundledPackages(folders) {
  const found = new Map();
  for (const folder of [...folders, ...consoleFolders()]) {
    const file = path.join(folder, "package.json");
    if (!existsSync(file)) continue;
    const { name, version, license, licenses } = JSON.parse(readFileSync(file, "utf8"));
    const id = license ?? licenses?.map(({ type }) => type).join(" OR ") ?? "see the package";
    if (name && version) found.set(`${name}@${version}`, { name, version, license: id, folder });
  }
  return [...found.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** What the console's build is made of: all but its tools. */
function consoleFolders() {
  const home = path.join(root, "console");
  const { packages } = JSON.parse(readFileSync(path.join(home, "package-lock.json"), "utf8"));
  return Object.entries(packages)
    .filter(([folder, { dev, optional }]) => folder !== "" && !dev && !optional)
    .map(([folder]) => path.join(home, folder));
}

export function licenseText(packages) {
  const head = "Freehold contains the following packages under their own licenses.\n";
  const parts = packages.map(({ name, version, license, folder }) => {
    const files = readdirSync(folder).filter((file) =>
      /^(?:licen[cs]e|copying|notice)/i.test(file),
    );
    const texts = files.map((file) => readFileSync(path.join(folder, file), "utf8").trim());
    return [`${name} ${version} (${license})`, ...texts].join("\n\n");
  });
  return [head, ...parts].join(`\n${"-".repeat(80)}\n\n`);
}
