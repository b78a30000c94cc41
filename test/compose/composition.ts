// A Compose file of the repository, run unchanged with the test's images and secrets.

import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { until } from "../fixtures/until.ts";
import { composeCommand, docker } from "./engine.ts";

const root = path.join(import.meta.dirname, "..", "..");

export class Composition {
  readonly #folder = mkdtempSync(path.join(tmpdir(), "freehold-compose-"));
  readonly #project: string;
  readonly #file: string;

  /** `file` is relative to the root of the repository. */
  constructor(file: string, settings: Record<string, string>) {
    this.#file = path.join(root, file);
    this.#project = `freehold-test-${file.replace(/\W/g, "-")}-${process.pid}`;
    const lines = Object.entries(settings).map(([name, value]) => `${name}=${value}\n`);
    writeFileSync(this.#envFile, lines.join(""));
  }

  get #envFile(): string {
    return path.join(this.#folder, "env");
  }

  up(): void {
    this.#compose("up", "--detach");
  }

  /** Runs all services until the named one ends, and returns their output. Throws if it fails. */
  runToEnd(service: string): string {
    return this.#compose("up", "--no-color", "--exit-code-from", service);
  }

  down(): void {
    this.#compose("down", "--volumes", "--timeout", "1");
    rmSync(this.#folder, { recursive: true });
  }

  start(service: string): void {
    this.#compose("start", service);
  }

  /** Replaces the containers. */
  recreate(): void {
    this.#compose("up", "--detach", "--force-recreate");
  }

  run(service: string, ...command: string[]): string {
    return this.#compose("exec", "-T", service, ...command);
  }

  kill(service: string): void {
    this.#compose("kill", service);
  }

  /** Returns the exit code. */
  stop(service: string): number {
    const id = this.container(service);
    this.#compose("stop", service);
    return Number(docker("inspect", "--format", "{{.State.ExitCode}}", id));
  }

  async healthy(service: string): Promise<void> {
    const id = this.container(service);
    const health = () => docker("inspect", "--format", "{{.State.Health.Status}}", id).trim();
    await until(() => health() === "healthy");
  }

  /** The id of its container. */
  container(service: string): string {
    return this.#compose("ps", "--quiet", service).trim();
  }

  #compose(...args: string[]): string {
    const [program, ...first] = composeCommand();
    const named = ["--project-name", this.#project, "--env-file", this.#envFile];
    return execFileSync(program!, [...first, ...named, "--file", this.#file, ...args], {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "pipe"],
    });
  }
}
