// An engine for tests: the one that answers on this machine, or one of the test's own; and a small
// image made of this machine's shell, so that nothing is pulled.

import {
  type ChildProcess,
  type ExecFileSyncOptionsWithStringEncoding,
  execFileSync,
  spawn,
  spawnSync,
} from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as realTime } from "node:timers/promises";

const usual = process.env.DOCKER_HOST || "unix:///var/run/docker.sock";

/** Why tests of containers are skipped, or false; in CI none may be. */
export const missing: string | false = whatIsMissing();
if (missing && process.env.CI) throw new Error(missing);

function whatIsMissing(): string | false {
  if (spawnSync("docker", ["--version"]).status !== 0) return "the docker command is not installed";
  if (answers(usual)) return false;
  if (process.getuid?.() !== 0) return "no container engine answers, and only root can start one";
  return existsSync("/usr/sbin/dockerd") ? false : "no container engine answers (docker info)";
}

function answers(host: string): boolean {
  const asked = spawnSync("docker", ["--host", host, "info"], { stdio: "ignore", timeout: 30_000 });
  return asked.status === 0;
}

let shared: Promise<string> | null = null;

/** The address of an engine that all tests of this process may use; one of our own ends with it. */
export function sharedEngine(): Promise<string> {
  shared ??= answers(usual) ? Promise.resolve(usual) : startOwn();
  return shared;
}

async function startOwn(): Promise<string> {
  const own = new OwnEngine();
  process.once("exit", () => own.killNow());
  await own.start();
  return own.host;
}

let engines = 0;

/** A dockerd with a data root of its own, which a test may stop and start as it likes. */
export class OwnEngine {
  readonly folder = mkdtempSync(path.join(tmpdir(), "freehold-engine-"));
  readonly host = `unix://${this.folder}/docker.sock`;
  readonly #bridge = `fhe${process.pid % 100_000}x${++engines}`;
  #child: ChildProcess | null = null;

  /** `more` are flags of dockerd's beside those that keep it apart. */
  async start(more: string[] = []): Promise<void> {
    if (this.#child === null) this.#makeBridge();
    const flags = [
      ...["--host", this.host, "--data-root", `${this.folder}/data`],
      ...["--exec-root", `${this.folder}/run`, "--pidfile", `${this.folder}/pid`],
      // Another engine on this machine keeps its rules for packets, and its bridge: "none" would
      // remove that one.
      ...["--bridge", this.#bridge, "--iptables=false", "--ip6tables=false"],
      ...more,
    ];
    this.#child = spawn("dockerd", flags, { stdio: "ignore" });
    this.#child.unref();
    for (let turn = 0; !answers(this.host); turn++) {
      if (turn > 900 || this.#child.exitCode !== null) throw new Error("dockerd does not come up");
      await realTime(100);
    }
  }

  /** As an operator's `systemctl stop docker` does. */
  async stop(): Promise<void> {
    const child = this.#child;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const ended = new Promise((resolve) => child.once("exit", resolve));
    child.kill("SIGTERM");
    await ended;
  }

  async dispose(): Promise<void> {
    this.#sweep();
    await this.stop();
    this.#leave();
  }

  /** For the end of the process, which waits for nothing that is not done at once. */
  killNow(): void {
    this.#sweep();
    this.#child?.kill("SIGTERM");
    spawnSync("sh", [
      "-c",
      `n=0; while [ -e ${this.folder}/pid ] && [ $n -lt 150 ]; do sleep 0.1; n=$((n+1)); done`,
    ]);
    this.#leave();
  }

  /** A network's bridge is the machine's, and would outlive the engine that made it. */
  #sweep(): void {
    const ask = `docker --host ${this.host}`;
    const script = `${ask} ps --all --quiet | xargs -r ${ask} rm --force; ${ask} network prune --force`;
    spawnSync("sh", ["-c", script], { stdio: "ignore", timeout: 120_000 });
  }

  #makeBridge(): void {
    const ip = (...args: string[]) => execFileSync("ip", args, { stdio: "ignore" });
    ip("link", "add", this.#bridge, "type", "bridge");
    ip("addr", "add", `10.${200 + (engines % 50)}.${process.pid % 250}.1/24`, "dev", this.#bridge);
    ip("link", "set", this.#bridge, "up");
  }

  #leave(): void {
    spawnSync("ip", ["link", "delete", this.#bridge], { stdio: "ignore" });
    spawnSync("sh", ["-c", `grep -o '${this.folder}[^ ]*' /proc/mounts | xargs -r umount --lazy`]);
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** Runs `docker ...` on an engine and returns what it prints. */
export function docker(host: string, ...args: string[]): string {
  const options: ExecFileSyncOptionsWithStringEncoding = {
    ...{ encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] },
    timeout: 120_000, // a test that waits here hears no clock of its own
  };
  return execFileSync("docker", ["--host", host, ...args], options).trim();
}

const PROGRAMS = ["bash", "sh", "sleep", "cat", "ls", "mkdir", "head", "tail", "timeout", "id"];

/** Puts the image there, if it is not: a shell, its usual helpers, and nothing else. */
export function ensureShellImage(host: string, name = "freehold-test-shell:1"): string {
  return ensureImage(host, name, () => PROGRAMS.map((program) => [program, which(program)]));
}

/** Puts an image of some programs there, each under its name in the path, with what they load. */
export function ensureImage(
  host: string,
  image: string,
  programs: () => [name: string, file: string][],
): string {
  if (docker(host, "images", "--quiet", image) !== "") return image;
  const folder = mkdtempSync(path.join(tmpdir(), "freehold-image-"));
  try {
    const root = path.join(folder, "root");
    for (const each of ["usr/bin", "usr/lib", "usr/lib64", "tmp", "etc"])
      mkdirSync(path.join(root, each), { recursive: true });
    for (const each of ["bin", "lib", "lib64"]) symlinkSync(`usr/${each}`, path.join(root, each));
    const files = programs();
    for (const [name, file] of files) cpSync(realpathSync(file), path.join(root, "usr/bin", name));
    for (const library of librariesOf(files.map(([, file]) => file))) {
      const to = path.join(root, "usr", library.replace(/^\/usr/, ""));
      mkdirSync(path.dirname(to), { recursive: true });
      cpSync(realpathSync(library), to);
    }
    const archive = path.join(folder, "root.tar");
    execFileSync("tar", ["--owner=0", "--group=0", "-C", root, "-cf", archive, "."]);
    docker(host, "import", "--change", "ENV PATH=/usr/bin", archive, image);
    return image;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function which(program: string): string {
  return execFileSync("sh", ["-c", `command -v ${program}`], { encoding: "utf8" }).trim();
}

/** The files that the dynamic linker would load for these programs. */
export function librariesOf(programs: string[]): Set<string> {
  // It says "not a dynamic executable" of scripts, and goes on.
  const { stdout } = spawnSync("ldd", programs, { encoding: "utf8" });
  return new Set([...stdout.matchAll(/(\/\S+) \(0x/g)].map(([, file]) => file!));
}
