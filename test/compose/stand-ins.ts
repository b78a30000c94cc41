// Stand-ins for the public images on machines that cannot pull them: images with the same
// interface, made of this machine's programs and pushed to a registry on loopback.

import { execFileSync, spawn, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { freePort } from "../fixtures/free-port.ts";
import { docker } from "./engine.ts";
import { imagePath, makeRoot } from "./root-folder.ts";

export interface Images {
  node: string;
  postgres: string;
  haproxy: string;
}

export interface Registry {
  images: Images;
  close(): void;
}

/** Builds and pushes the images, then removes the local copies. */
export async function startRegistry(): Promise<Registry> {
  const folder = mkdtempSync(path.join(tmpdir(), "freehold-registry-"));
  const port = await freePort();
  const config = path.join(folder, "registry.yml");
  writeFileSync(
    config,
    `version: 0.1
log: {level: error, accesslog: {disabled: true}}
storage: {filesystem: {rootdirectory: ${folder}/images}}
http: {addr: "127.0.0.1:${port}"}
`,
  );
  const server = spawn("docker-registry", ["serve", config], { stdio: "ignore" });
  const name = (image: string) => `127.0.0.1:${port}/${image}`;
  const images = {
    node: name("node:24"),
    postgres: name("postgres:17"),
    haproxy: name("haproxy:3"),
  };
  const base = name("base:1");
  const close = () => {
    server.kill("SIGKILL");
    spawnSync("docker", ["rmi", "--force", base, ...Object.values(images)], { stdio: "ignore" });
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    importBase(folder, base);
    const recipe = path.join(folder, "recipe", "Dockerfile");
    mkdirSync(path.dirname(recipe));
    for (const [image, tag] of Object.entries(images)) {
      writeFileSync(recipe, `FROM ${base}\n${manners[image as keyof Images]}\n`);
      docker("build", "--tag", tag, "--file", recipe, path.dirname(recipe));
      docker("push", tag);
      docker("rmi", tag);
    }
  } catch (error) {
    close();
    throw error;
  }
  return { images, close };
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

/** The behavior of the public images that Dockerfile and compose/replicas.yaml rely on. */
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
