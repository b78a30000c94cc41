// Image registries on loopback: a public one, and one with a password.

import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type { TestContext } from "node:test";
import { freePort } from "../fixtures/free-port.ts";
import { until } from "../fixtures/until.ts";
import type { ContainerService } from "./container-service.ts";

export const CREDENTIALS = { username: "somebody", password: "right horse" };
/** The password's digest as bcrypt makes it. */
const DIGEST = "$2b$05$abcdefghijklmnopqrstuuB05BVy0V7KomGh8K56xgiHLq3Wkqh46";

export interface Registry {
  /** host:port of the public one. */
  open: string;
  /** host:port of the one with a password. */
  closed: string;
  stop(): void;
}

/** `closed` is the port of the one with a password; a free one if absent. */
export async function startRegistry(
  t: TestContext,
  { closed: wanted }: { closed?: number } = {},
): Promise<Registry> {
  const folder = mkdtempSync(path.join(tmpdir(), "freehold-registry-"));
  const [open, closed] = [await freePort(), wanted ?? (await freePort())];
  writeFileSync(path.join(folder, "htpasswd"), `${CREDENTIALS.username}:${DIGEST}\n`);
  const auth = `auth: {htpasswd: {realm: test, path: ${folder}/htpasswd}}\n`;
  const servers = [open, closed].map((port) => {
    const config = path.join(folder, `${port}.yml`);
    writeFileSync(
      config,
      `version: 0.1
log: {level: error, accesslog: {disabled: true}}
storage: {filesystem: {rootdirectory: ${folder}/${port}}}
http: {addr: "127.0.0.1:${port}"}
${port === closed ? auth : ""}`,
    );
    return spawn("docker-registry", ["serve", config], { stdio: "ignore" });
  });
  const stop = () => {
    for (const server of servers) server.kill("SIGKILL");
  };
  t.after(() => {
    stop();
    rmSync(folder, { recursive: true, force: true });
  });
  for (const port of [open, closed]) {
    await until(() => fetch(`http://127.0.0.1:${port}/v2/`).catch(() => null));
  }
  return { open: `127.0.0.1:${open}`, closed: `127.0.0.1:${closed}`, stop };
}

/** Puts an image like the shell's, and no other, into the registry with the password; it is not left here. */
export function pushPrivate(
  t: TestContext,
  service: Pick<ContainerService, "docker" | "shellImage">,
  registry: string,
): string {
  const name = `${registry}/team/private:1`;
  const config = mkdtempSync(path.join(tmpdir(), "freehold-login-"));
  t.after(() => rmSync(config, { recursive: true, force: true }));
  const auth = Buffer.from(`${CREDENTIALS.username}:${CREDENTIALS.password}`).toString("base64");
  writeFileSync(
    path.join(config, "config.json"),
    JSON.stringify({ auths: { [registry]: { auth } } }),
  );
  const container = service.docker("create", service.shellImage, "true");
  service.docker("commit", "--change", `LABEL made.for=${registry}`, container, name);
  service.docker("rm", container);
  service.docker("--config", config, "push", "--quiet", name);
  service.docker("rmi", name);
  t.after(() => {
    try {
      service.docker("rmi", "--force", name);
    } catch {
      // An engine of the test's own is gone with all its images.
    }
  });
  return name;
}
