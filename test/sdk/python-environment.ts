// The Python that a test runs real clients with: one virtual environment per client, in the cache of test programs,
// installed from the pins in test/sdk/python. The test command makes them before its tests. The first one of an SDK
// takes half a minute; its other versions, and Flash, begin as copies, for most of what they need is the same.

import { execFileSync, spawnSync } from "node:child_process";
import { copyFileSync, cpSync, existsSync, readFileSync, rmSync } from "node:fs";
import path from "node:path";
import type { TestContext } from "node:test";
import {
  cachedFolder,
  type Made,
  madeFor,
  makeOnce,
  type Problem,
  underLock,
} from "../fixtures/programs/program-cache.ts";

/** The newest SDK, the next major version, one without a stop channel, and one before batches. */
export const sdkVersions = ["1.12.0", "2.0.0rc2", "1.7.13", "1.6.2"] as const;
export type SdkVersion = (typeof sdkVersions)[number];

/** dstack without most of its dependencies: its Runpod backend needs few of them. */
export const DSTACK = "dstack-0.22.5";
/** The command line of AWS, with boto3. */
export const AWS = "awscli-1.46.3";
/** The command `flash`, which needs what the newest SDK needs and little more. */
export const FLASH = "runpod-flash-1.21.0";
/** The file system over S3 that pandas and others use. */
export const S3FS = "s3fs-2026.9.0";
/** MinIO's client of S3. */
export const MINIO = "minio-7.2.20";
/** The client of the Hugging Face Hub. */
export const HUB = "huggingface-hub-2.4.0";
/** A client of SSH that implements the protocol itself. */
export const ASYNCSSH = "asyncssh-2.21.1";
/** Containers for tests. */
export const TESTCONTAINERS = "testcontainers-4.15.0";
export type Environment =
  | SdkVersion
  | typeof DSTACK
  | typeof AWS
  | typeof FLASH
  | typeof S3FS
  | typeof MINIO
  | typeof HUB
  | typeof ASYNCSSH
  | typeof TESTCONTAINERS;

const isSdk = (name: Environment): name is SdkVersion => sdkVersions.some((each) => each === name);

const pinsFolder = path.join(import.meta.dirname, "python");

/** The interpreter with this SDK, or null without Python: the test is then skipped. */
export function pythonWith(t: TestContext, sdk: SdkVersion): string | null {
  return interpreterOf(t, sdk);
}

/** The interpreter with dstack 0.22.5, or null. */
export function pythonWithDstack(t: TestContext): string | null {
  return interpreterOf(t, DSTACK);
}

/** The interpreter with boto3 and, beside it, the command `aws`, or null. */
export function pythonWithAws(t: TestContext): string | null {
  return interpreterOf(t, AWS);
}

/** The interpreter with s3fs 2026.9.0, or null. */
export function pythonWithS3fs(t: TestContext): string | null {
  return interpreterOf(t, S3FS);
}

/** The interpreter with minio 7.2.20, or null. */
export function pythonWithMinio(t: TestContext): string | null {
  return interpreterOf(t, MINIO);
}

/** The interpreter with huggingface_hub 2.4.0, or null. */
export function pythonWithHub(t: TestContext): string | null {
  return interpreterOf(t, HUB);
}

/** The interpreter with asyncssh 2.21.1, or null. */
export function pythonWithAsyncssh(t: TestContext): string | null {
  return interpreterOf(t, ASYNCSSH);
}

/** The interpreter with testcontainers 4.15.0, or null. */
export function pythonWithTestcontainers(t: TestContext): string | null {
  return interpreterOf(t, TESTCONTAINERS);
}

/** The interpreter with runpod-flash 1.21.0 and, beside it, the command `flash`, or null. */
export function pythonWithFlash(t: TestContext): string | null {
  return interpreterOf(t, FLASH);
}

/** A folder of what `rp flash deploy` of runpod 2.0.0rc2 packs into a build, so that it asks no registry; or null. */
export function wheelsToPack(t: TestContext, python: string): string | null {
  return madeFor(t, WHEELS, () => makeWheels(python));
}

function interpreterOf(t: TestContext, name: Environment): string | null {
  return madeFor(t, nameOf(name), () => makeEnvironment(name));
}

export const WHEELS = "wheels for runpod-2.0.0rc2";

/** What reports call it. */
export const nameOf = (name: Environment) => `Python with ${isSdk(name) ? `runpod-${name}` : name}`;

/** Platforms of the client's workers. */
const PLATFORMS = ["manylinux_2_28_x86_64", "manylinux_2_17_x86_64", "manylinux2014_x86_64"];
const PACKED = path.join(pinsFolder, "packed-2.0.0rc2.txt");

export function makeWheels(python: string): Made {
  const version = versionOf(python);
  const pins = [readFileSync(PACKED), readFileSync(pinsOf("2.0.0rc2"))];
  const folder = cachedFolder("wheels", version, ...pins);
  const platforms = PLATFORMS.flatMap((each) => ["--platform", each]);
  const problem = makeOnce(folder, (unfinished) =>
    quietly("wheels of PyPI", python, [
      "-m",
      "pip",
      "download",
      "--quiet",
      "--only-binary",
      ":all:",
      "--implementation",
      "cp",
      "--python-version",
      version,
      ...platforms,
      "--dest",
      unfinished,
      "--constraint",
      pinsOf("2.0.0rc2"),
      "--requirement",
      PACKED,
    ]),
  );
  return problem ?? { path: folder };
}

/** "3.11" */
export function versionOf(python: string): string {
  const script = "import sys; print('%d.%d' % sys.version_info[:2])";
  return execFileSync(python, ["-c", script], { encoding: "utf8" }).trim();
}

interface Interpreter {
  command: string;
  version: string;
}

let interpreter: Interpreter | undefined;

/** The machine's, or undefined. */
function findInterpreter(): Interpreter | undefined {
  const command = ["python3.11", "python3"].find(isRecent);
  return command === undefined ? undefined : { command, version: versionOf(command) };
}

/** The environment's interpreter. Programs in it hold the folder's path, so it is made in place; its pins come last. */
export function makeEnvironment(name: Environment): Made {
  interpreter ??= findInterpreter();
  if (!interpreter) {
    return { problem: "it needs Python 3.10 or later, with venv", failed: false };
  }
  const folder = folderOf(name, interpreter);
  const problem = isComplete(name, interpreter)
    ? null
    : underLock("python", () => install(name, interpreter!));
  return problem ?? { path: path.join(folder, "bin", "python") };
}

/** Null on success. */
function install(name: Environment, { command, version }: Interpreter): Problem | null {
  const by = { command, version };
  if (isComplete(name, by)) return null;
  const folder = folderOf(name, by);
  rmSync(folder, { recursive: true, force: true });
  const source = `PyPI's ${path.basename(folder)}`;
  const python = path.join(folder, "bin", "python");
  const sdk = sdkVersions.find((each) => isComplete(each, by));
  // Clients of an SDK pack with their own pip. The pip of one environment installs into the others.
  const like = isSdk(name) || name === FLASH ? sdk : undefined;
  const bare = sdk && !like;
  const [program, ...target] = bare
    ? [path.join(folderOf(sdk, by), "bin", "python"), "--python", python]
    : [python];
  const pip = (...args: string[]) => quietly(source, program!, ["-m", "pip", ...target, ...args]);
  let problem: Problem | null;
  if (like) {
    const manner = { recursive: true, preserveTimestamps: true, verbatimSymlinks: true };
    cpSync(folderOf(like, by), folder, manner);
    const packages = packagesOf(name);
    const needless = packagesOf(like).filter((each) => !packages.includes(each));
    problem = needless.length > 0 ? pip("uninstall", "--quiet", "--yes", ...needless) : null;
  } else {
    problem = quietly(source, command, ["-m", "venv", ...(bare ? ["--without-pip"] : []), folder]);
  }
  // A test compiles what it imports; most modules of these clients are imported by none.
  const compiled = bare ? ["--no-compile"] : [];
  problem ??= pip(
    "install",
    "--quiet",
    "--disable-pip-version-check",
    "--no-deps",
    ...compiled,
    "--requirement",
    pinsOf(name),
  );
  if (problem === null) copyFileSync(pinsOf(name), path.join(folder, "pins.txt"));
  return problem;
}

const folderOf = (name: Environment, { version }: Interpreter) =>
  cachedFolder(isSdk(name) ? `runpod-${name}` : name, version, readFileSync(pinsOf(name)));

const pinsOf = (name: Environment) => path.join(pinsFolder, `requirements-${name}.txt`);

function packagesOf(name: Environment): string[] {
  return [...readFileSync(pinsOf(name), "utf8").matchAll(/^[^=\s]+/gm)].map(([match]) => match);
}

function isComplete(name: Environment, by: Interpreter): boolean {
  return existsSync(path.join(folderOf(name, by), "pins.txt"));
}

function isRecent(command: string): boolean {
  const check = "import ensurepip, sys, venv; sys.exit(sys.version_info < (3, 10))";
  return spawnSync(command, ["-c", check]).status === 0;
}

/** Null on success, else the last line of its output. */
function quietly(source: string, command: string, args: string[]): Problem | null {
  try {
    execFileSync(command, args, { encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
    return null;
  } catch (error) {
    const { stderr, stdout, message } = error as Error & { stderr?: string; stdout?: string };
    const cause = `${stderr ?? ""}${stdout ?? ""}`.trim().split("\n").at(-1) || message;
    return { problem: `it needs ${source}: ${cause}`, failed: true };
  }
}
