// Freehold as a process of its own, the way an operator runs it: started by its command, ended by
// signals, killed at any instant.

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";

const COMMAND = path.join(import.meta.dirname, "..", "bin", "freehold.mjs");

export interface ServiceOptions {
  dataFolder: string;
  port: number;
  flags?: string[];
  env?: Record<string, string>;
  /** Run in front of Node, such as strace and its options. */
  under?: string[];
}

export interface End {
  code: number | null;
  signal: NodeJS.Signals | null;
}

export class Service {
  readonly origin: string;
  readonly ended: Promise<End>;
  stdout = "";
  stderr = "";
  readonly #child: ChildProcess;

  constructor(options: ServiceOptions) {
    this.origin = `http://127.0.0.1:${options.port}`;
    const command = [
      ...(options.under ?? []),
      process.execPath,
      COMMAND,
      "up",
      ...["--listen", `127.0.0.1:${options.port}`, "--data", options.dataFolder],
      ...(options.flags ?? []),
    ];
    this.#child = spawn(command[0]!, command.slice(1), {
      env: { ...process.env, ...options.env },
      stdio: ["ignore", "pipe", "pipe"],
    });
    this.#child.stdout!.setEncoding("utf8").on("data", (text) => {
      this.stdout += text;
    });
    this.#child.stderr!.setEncoding("utf8").on("data", (text) => {
      this.stderr += text;
    });
    this.ended = once(this.#child, "close").then(([code, signal]) => ({ code, signal }));
  }

  get pid(): number {
    return this.#child.pid!;
  }

  /** True once it takes requests; false if it ended before. */
  async ready(): Promise<boolean> {
    let over = false;
    void this.ended.then(() => {
      over = true;
    });
    while (!over) {
      const answer = await fetch(`${this.origin}/readyz`).catch(() => null);
      if (answer?.status === 200) return true;
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    return false;
  }

  signal(name: NodeJS.Signals): void {
    this.#child.kill(name);
  }

  /** As an operator ends it: no worker of its own lives on. */
  async end(): Promise<End> {
    this.signal("SIGTERM");
    return this.ended;
  }

  async kill(): Promise<End> {
    this.signal("SIGKILL");
    return this.ended;
  }
}
