// The programs that tests need and that are built or installed on this machine: each is made once, before the tests,
// so that no test's time limit covers it and a build that fails is reported once.

import { spawnSync } from "node:child_process";
import { CLUSTER_PROGRAMS, HELM, KUBERNETES } from "../fixtures/kubernetes/requirements.ts";
import { buildGoProgram, type GoProgram } from "../fixtures/programs/go-program.ts";
import type { Made } from "../fixtures/programs/program-cache.ts";
import { S5CMD } from "../s3/s5cmd.ts";
import { makeNpmClients, NPM_CLIENTS } from "../sdk/npm-client.ts";
import * as python from "../sdk/python-environment.ts";
import { makeRustClient, RUST_CLIENT } from "../sdk/rust-client.ts";
import { PEBBLE } from "../tls/pebble.ts";
import { COLLECTOR } from "../tracing/collector.ts";
import { codeOf, reachOf } from "./graph.ts";
import { ROOT } from "./sets.ts";

export interface Program {
  /** As its tests name it when they are skipped. */
  name: string;
  /** Programs of one maker are made one after the other. */
  maker: "apt" | "cargo" | "freehold" | "go" | "npm" | "python";
  isFor: (file: string) => boolean;
  make: () => Made;
  /** Files that cannot run at all without it; without this field, their tests are skipped one by one. */
  whole?: boolean;
}

/** Test files that reach such code below test/, and hold `literal` themselves. */
const uses =
  (code: RegExp, literal = /(?:)/) =>
  (file: string): boolean =>
    literal.test(codeOf(file)) && [...testReach(file)].some((each) => code.test(codeOf(each)));

const below = (folders: RegExp) => (file: string) => folders.test(file);

/** The fixtures that a file loads, but not the makers of programs, which name them all. */
function testReach(file: string): Set<string> {
  return reachOf(file, (each) => each.startsWith("test/") && !MAKERS.has(each)).files;
}

const MAKERS = new Set([
  "test/runner/programs.ts",
  "test/sdk/python-environment.ts",
  "test/sdk/npm-client.ts",
  "test/sdk/rust-client.ts",
]);

const environment = (name: python.Environment, code: RegExp, literal?: RegExp): Program => ({
  name: python.nameOf(name),
  maker: "python",
  isFor: uses(code, literal),
  make: () => python.makeEnvironment(name),
});

const sdk = (version: python.SdkVersion) =>
  environment(version, /\bpythonWith\(t/, new RegExp(`"${RegExp.escape(version)}"`));

const goProgram = (program: GoProgram, code: RegExp): Program => ({
  name: program.name,
  maker: "go",
  isFor: uses(code),
  make: () => buildGoProgram(program),
});

/** Why a program is not made on this machine, or false. */
type Obstacle = () => string | false;

/** One that a script makes, which has a cache and a lock of its own. */
function scripted(
  name: string,
  maker: Program["maker"],
  isFor: Program["isFor"],
  [command, ...args]: [string, ...string[]],
  { obstacle = () => false, whole = false }: { obstacle?: Obstacle; whole?: boolean } = {},
): Program {
  const make = (): Made => {
    const missing = obstacle();
    if (missing) return { problem: missing, failed: false };
    const { status, stderr, error } = spawnSync(command, args, {
      cwd: ROOT,
      encoding: "utf8",
      maxBuffer: 1e8,
    });
    if (status === 0) return { path: command };
    const cause = error?.message ?? stderr.trim().split("\n").slice(-3).join("\n");
    return { problem: `${name}: ${cause}`, failed: true };
  };
  return { name, maker, isFor, make, whole };
}

const has = (program: string) =>
  spawnSync("sh", ["-c", `command -v ${program}`], { stdio: "ignore" }).status === 0;
const needs =
  (...programs: string[]): Obstacle =>
  () => {
    const missing = programs.filter((each) => !has(each));
    return missing.length > 0 && `it needs ${missing.join(", ")}`;
  };
const noCluster: Obstacle = () =>
  (process.getuid?.() !== 0 && "only root can start a Kubernetes cluster") ||
  needs("go", ...CLUSTER_PROGRAMS)();
const noEngine: Obstacle = () =>
  needs("docker", "apt-get")() ||
  (process.getuid?.() !== 0 && "only root can make an image from Debian's packages");

const NODE = process.execPath;
const isPackaged = below(/^test\/package\//);

export const PROGRAMS: Program[] = [
  scripted(
    "the console",
    "freehold",
    below(/^test\/(?:console|package)\//),
    [NODE, "bin/console.mjs"],
    { whole: true },
  ),
  scripted(
    "the packages",
    "freehold",
    isPackaged,
    [NODE, "bin/release/build.mjs", ...(process.env.CI ? [] : ["--wheels-if-possible"])],
    { whole: true },
  ),
  sdk("1.12.0"),
  sdk("2.0.0rc2"),
  sdk("1.7.13"),
  sdk("1.6.2"),
  {
    name: python.WHEELS,
    maker: "python",
    isFor: uses(/\bwheelsToPack\(/),
    make: () => {
      const interpreter = python.makeEnvironment("2.0.0rc2");
      return "path" in interpreter ? python.makeWheels(interpreter.path) : interpreter;
    },
  },
  environment(python.DSTACK, /\bpythonWithDstack\(/),
  environment(python.AWS, /\bpythonWithAws\(/),
  environment(python.FLASH, /\bpythonWithFlash\(/),
  environment(python.S3FS, /\bpythonWithS3fs\(/),
  environment(python.MINIO, /\bpythonWithMinio\(/),
  environment(python.ASYNCSSH, /\bpythonWithAsyncssh\(/),
  environment(python.HUB, /\bpythonWithHub\(/),
  environment(python.TESTCONTAINERS, /\bpythonWithTestcontainers\(/),
  { name: NPM_CLIENTS, maker: "npm", isFor: uses(/\bnpmClient\(t/), make: makeNpmClients },
  { name: RUST_CLIENT, maker: "cargo", isFor: uses(/\brustClient\(t/), make: makeRustClient },
  goProgram(COLLECTOR, /\bstartCollector\(t/),
  goProgram(S5CMD, /\bs5cmd\(t/),
  goProgram(PEBBLE, /\bstartPebble\(t/),
  scripted(HELM, "go", uses(/\bhelmSkipReason\b/), ["test/kubernetes/helm/build"], {
    obstacle: needs("go"),
  }),
  scripted(
    KUBERNETES,
    "go",
    uses(/\b(?:sharedCluster|ownCluster)\(/),
    ["test/kubernetes/cluster/up", "--build-only"],
    { obstacle: noCluster },
  ),
  scripted(
    "the image with Python",
    "apt",
    uses(/python-root"/),
    ["test/fixtures/docker/python-root"],
    { obstacle: noEngine },
  ),
  scripted(
    "the image with PyTorch",
    "apt",
    uses(/torch-root"/),
    ["test/fixtures/docker/torch-root"],
    { obstacle: noEngine },
  ),
];
