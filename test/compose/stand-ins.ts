// Stands in for the public images where none can be pulled: images of the same manners, made of this
// machine's own programs.

import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { docker } from "./engine.ts";
import { imagePath, makeRoot } from "./root-folder.ts";

export interface Images {
  node: string;
  postgres: string;
  haproxy: string;
}

export interface StandIns {
  images: Images;
  remove(): void;
}

export function makeStandIns(): StandIns {
  const folder = mkdtempSync(path.join(tmpdir(), "freehold-stand-ins-"));
  const name = (image: string) => `freehold-test-${process.pid}-${image}`;
  const images = {
    node: name("node:24"),
    postgres: name("postgres:17"),
    haproxy: name("haproxy:3"),
  };
  const base = name("base:1");
  const remove = () => {
    spawnSync("docker", ["rmi", "--force", ...Object.values(images), base], { stdio: "ignore" });
  };
  try {
    importBase(folder, base);
    const recipe = path.join(folder, "recipe", "Dockerfile");
    mkdirSync(path.dirname(recipe));
    for (const [image, tag] of Object.entries(images)) {
      writeFileSync(recipe, `FROM ${base}\n${manners[image as keyof Images]}\n`);
      docker("build", "--tag", tag, "--file", recipe, path.dirname(recipe));
    }
  } catch (error) {
    remove();
    throw error;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return { images, remove };
}

function importBase(folder: string, tag: string): void {
  const root = path.join(folder, "root");
  const archive = path.join(folder, "root.tar");
  makeRoot(root);
  execFileSync("tar", ["--owner=0", "--group=0", "-C", root, "-cf", archive, "."]);
  rmSync(root, { recursive: true });
  docker("import", "--change", `ENV PATH=${imagePath()}`, archive, tag);
  rmSync(archive);
}

/** How the public images behave, as far as Dockerfile and compose.yaml lean on it. */
const manners: Record<keyof Images, string> = {
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
