// compose.yaml, run unchanged with the test's images and secrets.

import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "./client.ts";
import { composeCommand, docker } from "./engine.ts";
import type { Images } from "./stand-ins.ts";

const root = path.join(import.meta.dirname, "..", "..");

export class Composition {
  readonly client: Client;
  readonly #folder = mkdtempSync(path.join(tmpdir(), "freehold-compose-"));
  readonly #project = `freehold-test-${process.pid}`;

  constructor(images: Images, image: string, port: number, key: string) {
    this.client = new Client(port, key);
    const settings = {
      FREEHOLD_IMAGE: image,
      NODE_IMAGE: images.node,
      POSTGRES_IMAGE: images.postgres,
      HAPROXY_IMAGE: images.haproxy,
      FREEHOLD_PUBLISH: `127.0.0.1:${port}`,
      FREEHOLD_API_KEY: key,
      FREEHOLD_SECRET_KEY: "5e".repeat(32),
      POSTGRES_PASSWORD: "only-a-test",
    };
    const lines = Object.entries(settings).map(([name, value]) => `${name}=${value}\n`);
    writeFileSync(this.#envFile, lines.join(""));
  }

  get #envFile(): string {
    return path.join(this.#folder, "env");
  }

  up(): void {
    this.#compose("up", "--detach");
  }

  down(): void {
    this.#compose("down", "--volumes", "--timeout", "1");
    rmSync(this.#folder, { recursive: true });
  }

  start(service: string): void {
    this.#compose("start", service);
  }

  kill(service: string): void {
    this.#compose("kill", service);
  }

  /** Returns the exit code. */
  stop(service: string): number {
    const id = this.#idOf(service);
    this.#compose("stop", service);
    return Number(docker("inspect", "--format", "{{.State.ExitCode}}", id));
  }

  async healthy(service: string): Promise<void> {
    const id = this.#idOf(service);
    while (docker("inspect", "--format", "{{.State.Health.Status}}", id).trim() !== "healthy") {
      await sleep(200);
    }
  }

  #idOf(service: string): string {
    return this.#compose("ps", "--quiet", service).trim();
  }

  #compose(...args: string[]): string {
    const [program, ...first] = composeCommand();
    const named = ["--project-name", this.#project, "--env-file", this.#envFile];
    const file = ["--file", path.join(root, "compose.yaml"), "--project-directory", root];
    return execFileSync(program!, [...first, ...named, ...file, ...args], {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "pipe"],
    });
  }
}
