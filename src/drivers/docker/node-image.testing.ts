// A small image with the Node that runs the tests, for containers that have to serve something.

import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { docker, librariesOf } from "./engine.testing.ts";

/** Puts the image there, if it is not; `node` is on its path. */
export function ensureNodeImage(host: string): string {
  const name = `freehold-test-node:${process.versions.node}`;
  if (docker(host, "images", "--quiet", name) !== "") return name;
  const folder = mkdtempSync(path.join(tmpdir(), "freehold-image-"));
  try {
    const root = path.join(folder, "root");
    for (const each of ["usr/bin", "usr/lib", "usr/lib64", "tmp", "etc"]) {
      mkdirSync(path.join(root, each), { recursive: true });
    }
    for (const each of ["bin", "lib", "lib64"]) symlinkSync(`usr/${each}`, path.join(root, each));
    cpSync(realpathSync(process.execPath), path.join(root, "usr/bin/node"));
    for (const library of librariesOf([process.execPath])) {
      const to = path.join(root, "usr", library.replace(/^\/usr/, ""));
      mkdirSync(path.dirname(to), { recursive: true });
      cpSync(realpathSync(library), to);
    }
    const archive = path.join(folder, "root.tar");
    execFileSync("tar", ["--owner=0", "--group=0", "-C", root, "-cf", archive, "."]);
    docker(host, "import", "--change", "ENV PATH=/usr/bin", archive, name);
    return name;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
