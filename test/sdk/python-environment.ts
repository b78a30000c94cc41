// The Python that a test runs real clients with: one virtual environment per client, below
// .venvs/, installed from the pins that lie beside this file. Made by the first test that needs it,
// or ahead of time: node bin/run.mjs test/sdk/python-environment.ts. The first one of an SDK takes half a minute;
// its other versions, and Flash, begin as copies, for most of what they need is the same.

import { execFileSync, spawnSync } from "node:child_process";
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
} from "node:fs";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { TestContext } from "node:test";

/** The newest SDK, the next major version, one without a stop channel, and one before batches. */
export const sdkVersions = ["1.12.0", "2.0.0rc2", "1.7.13", "1.6.2"] as const;
export type SdkVersion = (typeof sdkVersions)[number];

/** dstack without most of its dependencies: its Runpod backend needs few of them. */
const DSTACK = "dstack-0.22.5";
/** The command line of AWS, with boto3. */
const AWS = "awscli-1.46.3";
/** The command `flash`, which needs what the newest SDK needs and little more. */
const FLASH = "runpod-flash-1.21.0";
/** The file system over S3 that pandas and others use. */
const S3FS = "s3fs-2026.9.0";
/** MinIO's client of S3. */
const MINIO = "minio-7.2.20";
/** The client of the Hugging Face Hub. */
const HUB = "huggingface-hub-2.4.0";
/** Containers for tests. */
const TESTCONTAINERS = "testcontainers-4.15.0";
const others = [DSTACK, AWS, FLASH, S3FS, MINIO, HUB, TESTCONTAINERS] as const;
type Environment = SdkVersion | (typeof others)[number];

const isSdk = (name: Environment): name is SdkVersion => sdkVersions.some((each) => each === name);

const environments = path.join(import.meta.dirname, "..", "..", ".venvs");
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
  const found = packedWheels(python);
  return "folder" in found ? found.folder : skipOf(t, found.missing);
}

function interpreterOf(t: TestContext, name: Environment): string | null {
  const found = environment(name);
  return "python" in found ? found.python : skipOf(t, found.missing);
}

function skipOf(t: TestContext, missing: string): null {
  // In CI a missing environment must fail: a skipped test would go unnoticed.
  if (process.env.CI) throw new Error(missing);
  t.skip(missing);
  return null;
}

/** Platforms of the client's workers. */
const PLATFORMS = ["manylinux_2_28_x86_64", "manylinux_2_17_x86_64", "manylinux2014_x86_64"];
const PACKED = path.join(pinsFolder, "packed-2.0.0rc2.txt");

function packedWheels(python: string): { folder: string } | { missing: string } {
  const folder = path.join(environments, "wheels-2.0.0rc2");
  const platforms = PLATFORMS.flatMap((each) => ["--platform", each]);
  return underLock(() => {
    if (existsSync(folder)) return { folder };
    const unfinished = `${folder}.part`;
    rmSync(unfinished, { recursive: true, force: true });
    const problem = quietly(python, [
      ...["-m", "pip", "download", "--quiet", "--only-binary", ":all:", "--implementation", "cp"],
      ...["--python-version", versionOf(python), ...platforms, "--dest", unfinished],
      ...["--constraint", pinsOf("2.0.0rc2"), "--requirement", PACKED],
    ]);
    if (problem !== null) return { missing: `it needs wheels of PyPI: ${problem}` };
    renameSync(unfinished, folder);
    return { folder };
  });
}

/** "3.11" */
export function versionOf(python: string): string {
  const script = "import sys; print('%d.%d' % sys.version_info[:2])";
  return execFileSync(python, ["-c", script], { encoding: "utf8" }).trim();
}

function environment(name: Environment): { python: string } | { missing: string } {
  const folder = folderOf(name);
  const python = path.join(folder, "bin", "python");
  return underLock(() => {
    if (isComplete(name)) return { python };
    const interpreter = ["python3.11", "python3"].find(isRecent);
    if (!interpreter) return { missing: "it needs Python 3.10 or later, with venv" };
    rmSync(folder, { recursive: true, force: true });
    const pip = (...args: string[]) => quietly(python, ["-m", "pip", ...args]);
    const like = isSdk(name) || name === FLASH ? sdkVersions.find(isComplete) : undefined;
    const setupProblem = like
      ? copied(like, name, pip)
      : quietly(interpreter, ["-m", "venv", folder]);
    const problem =
      setupProblem ?? pip("install", "--quiet", "--no-deps", "--requirement", pinsOf(name));
    if (problem !== null)
      return { missing: `it needs PyPI's ${path.basename(folder)}: ${problem}` };
    copyFileSync(pinsOf(name), path.join(folder, "pins.txt"));
    return { python };
  });
}

const folderOf = (name: Environment) =>
  path.join(environments, isSdk(name) ? `runpod-${name}` : name);
const pinsOf = (name: Environment) => path.join(pinsFolder, `requirements-${name}.txt`);

/** Copies another environment and removes packages that this one must not have; null on success. */
function copied(
  like: Environment,
  name: Environment,
  pip: (...args: string[]) => string | null,
): string | null {
  const manner = { recursive: true, preserveTimestamps: true, verbatimSymlinks: true };
  cpSync(folderOf(like), folderOf(name), manner);
  const packages = packagesOf(name);
  const needless = packagesOf(like).filter((each) => !packages.includes(each));
  return needless.length > 0 ? pip("uninstall", "--quiet", "--yes", ...needless) : null;
}

function packagesOf(name: Environment): string[] {
  return [...readFileSync(pinsOf(name), "utf8").matchAll(/^[^=\s]+/gm)].map(([match]) => match);
}

function isComplete(name: Environment): boolean {
  const pins = path.join(folderOf(name), "pins.txt");
  return existsSync(pins) && readFileSync(pins, "utf8") === readFileSync(pinsOf(name), "utf8");
}

/** Test files run in parallel; the operating system releases the lock when its holder dies. */
function underLock<Result>(work: () => Result): Result {
  mkdirSync(environments, { recursive: true });
  const lock = new DatabaseSync(path.join(environments, "lock"));
  try {
    lock.exec("pragma busy_timeout = 600000; pragma journal_mode = memory; begin exclusive;");
    return work();
  } finally {
    lock.close();
  }
}

function isRecent(interpreter: string): boolean {
  const check = "import sys; sys.exit(sys.version_info < (3, 10))";
  return spawnSync(interpreter, ["-c", check]).status === 0;
}

/** Null on success, else the last line of its output. */
function quietly(command: string, args: string[]): string | null {
  try {
    execFileSync(command, args, { encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
    return null;
  } catch (error) {
    const { stderr, stdout, message } = error as Error & { stderr?: string; stdout?: string };
    return `${stderr ?? ""}${stdout ?? ""}`.trim().split("\n").at(-1) || message;
  }
}

if (import.meta.main) {
  for (const name of [...sdkVersions, ...others]) {
    const found = environment(name);
    if ("missing" in found) throw new Error(found.missing);
    process.stdout.write(
      `${path.basename(folderOf(name))}: ${path.relative(process.cwd(), found.python)}\n`,
    );
    const wheels = name === "2.0.0rc2" ? packedWheels(found.python) : null;
    if (wheels && "missing" in wheels) throw new Error(wheels.missing);
  }
}
