// Stand-ins for the public images on machines that cannot pull them: images with the same
// interface, made of this machine's programs.

import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { docker } from "./engine.ts";
import { imagePath, makeRoot } from "./root-folder.ts";

const nameOf = (image: string) => `freehold-test-${process.pid}/${image}`;
const BASE = nameOf("base:1");

export const images = {
  node: nameOf("node:24"),
  postgres: nameOf("postgres:17"),
  haproxy: nameOf("haproxy:3"),
};

export function makeImages(): void {
  const folder = mkdtempSync(path.join(tmpdir(), "freehold-images-"));
  try {
    importBase(folder);
    const recipe = path.join(folder, "recipe", "Dockerfile");
    mkdirSync(path.dirname(recipe));
    for (const [image, tag] of Object.entries(images)) {
      writeFileSync(recipe, `FROM ${BASE}\n${manners[image as keyof typeof images]}\n`);
      docker("build", "--tag", tag, "--file", recipe, path.dirname(recipe));
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

export function removeImages(): void {
  spawnSync("docker", ["rmi", "--force", ...Object.values(images), BASE], { stdio: "ignore" });
}

function importBase(folder: string): void {
  const root = path.join(folder, "root");
  const archive = path.join(folder, "root.tar");
  makeRoot(root);
  execFileSync("tar", ["--owner=0", "--group=0", "-C", root, "-cf", archive, "."]);
  rmSync(root, { recursive: true });
  docker("import", "--change", `ENV PATH=${imagePath()}`, archive, BASE);
}

/** The behavior of the public images that Dockerfile and compose/replicas.yaml rely on. */
const manners: Record<keyof typeof images, string> = {
  node: 'ENV NODE_EXTRA_CA_CERTS=/etc/ssl/certs/ca-certificates.crt\nCMD ["node"]',
  postgres: `ENV PGDATA=/var/lib/postgresql/data
VOLUME /var/lib/postgresql/data
STOPSIGNAL SIGINT
ENTRYPOINT ["postgres-entrypoint"]
CMD ["postgres"]`,
  haproxy: `USER haproxy
STOPSIGNAL SIGUSR1
CMD ["haproxy", "-W", "-db", "-f", "/usr/local/etc/haproxy/haproxy.cfg"]`,
};
