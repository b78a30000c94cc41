// An SSH server for tests, with its own host key and user key, in a folder that is removed afterward.

import { type ChildProcess, execFileSync, spawn, spawnSync } from "node:child_process";
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir, userInfo } from "node:os";
import path from "node:path";
import type { TestContext } from "node:test";
import { freePort } from "../fixtures/free-port.ts";
import { until } from "../fixtures/until.ts";

const PROGRAM = "/usr/sbin/sshd";

/** Why tests with an SSH server are skipped, or false; in CI they may not be skipped. */
export const missingSshd: string | false =
  spawnSync(PROGRAM, ["-V"]).error || process.getuid?.() !== 0
    ? "openssh-server is not installed, or not root's to start"
    : false;
if (missingSshd && process.env.CI) throw new Error(missingSshd);

export class TestSshd {
  readonly folder = mkdtempSync(path.join(tmpdir(), "freehold-sshd-"));
  readonly user = userInfo().username;
  readonly port: number;
  readonly #settings: string[];
  #child: ChildProcess | null = null;

  private constructor(port: number, settings: string[]) {
    this.port = port;
    this.#settings = settings;
    this.newHostKey();
    this.#keyFile("user_key");
    writeFileSync(this.#file("authorized_keys"), readFileSync(this.#file("user_key.pub")));
  }

  /** `settings` are further lines of its configuration. */
  static async start(t: TestContext, settings = ["GatewayPorts clientspecified"]) {
    const server = new TestSshd(await freePort(), settings);
    t.after(() => server.dispose());
    await server.up();
    return server;
  }

  /** The user's private key. */
  get identity(): string {
    return readFileSync(this.#file("user_key"), "utf8");
  }

  get identityFile(): string {
    return this.#file("user_key");
  }

  /** A folder of programs that its commands use first. */
  get programs(): string {
    return this.#file("programs");
  }

  address(socket: string): string {
    return `ssh://${this.user}@127.0.0.1:${this.port}${socket}`;
  }

  newHostKey(): void {
    rmSync(this.#file("host_key"), { force: true });
    this.#keyFile("host_key");
  }

  /** Applies other settings to new connections, as an operator's reload does. */
  reload(settings: string[]): void {
    this.#configure(settings);
    this.#child!.kill("SIGHUP");
  }

  #configure(settings: string[]): void {
    const lines = [
      `Port ${this.port}`,
      "ListenAddress 127.0.0.1",
      `HostKey ${this.#file("host_key")}`,
      `AuthorizedKeysFile ${this.#file("authorized_keys")}`,
      `PidFile ${this.#file("pid")}`,
      "PermitRootLogin prohibit-password",
      "PasswordAuthentication no",
      "KbdInteractiveAuthentication no",
      "StrictModes no",
      "UsePAM no",
      // Its shells do not read the files of the user who runs the tests.
      `SetEnv HOME=${this.folder} PATH=${this.programs}:${process.env.PATH}`,
      ...settings,
    ];
    writeFileSync(this.#file("config"), `${lines.join("\n")}\n`);
  }

  async up(settings = this.#settings): Promise<void> {
    // The folder that sshd needs for privilege separation; without systemd it may be missing.
    spawnSync("mkdir", ["-p", "/run/sshd"]);
    this.#configure(settings);
    const child = spawn(PROGRAM, ["-D", "-e", "-f", this.#file("config")], { stdio: "ignore" });
    this.#child = child;
    await until(() => {
      if (child.exitCode !== null) throw new Error("sshd does not come up");
      return this.#answers();
    });
  }

  /** Ends it with all its connections, like a broken network link, but at once. */
  async down(): Promise<void> {
    const child = this.#child;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const ended = new Promise((resolve) => child.once("exit", resolve));
    for (const pid of this.#sessions()) {
      try {
        process.kill(pid, "SIGKILL");
      } catch {
        // It has ended already.
      }
    }
    child.kill("SIGKILL");
    await ended;
  }

  async dispose(): Promise<void> {
    await this.down();
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** The processes that serve a connection each, and their children. */
  #sessions(): number[] {
    const table = execFileSync("ps", ["-eo", "pid=,ppid="], { encoding: "utf8" });
    const pairs = table
      .trim()
      .split("\n")
      .map((line) => line.trim().split(/\s+/).map(Number));
    const below = new Set([this.#child!.pid!]);
    for (let before = 0; before < below.size; ) {
      before = below.size;
      for (const [pid, parent] of pairs) if (below.has(parent!)) below.add(pid!);
    }
    below.delete(this.#child!.pid!);
    return [...below];
  }

  #keyFile(name: string): void {
    const file = this.#file(name);
    execFileSync("ssh-keygen", ["-q", "-t", "ed25519", "-N", "", "-C", name, "-f", file]);
    chmodSync(file, 0o600);
  }

  #file(name: string): string {
    return path.join(this.folder, name);
  }

  #answers(): Promise<boolean> {
    return new Promise((resolve) => {
      const socket = connect(this.port, "127.0.0.1");
      socket.once("connect", () => {
        socket.destroy();
        resolve(true);
      });
      socket.once("error", () => resolve(false));
    });
  }
}
