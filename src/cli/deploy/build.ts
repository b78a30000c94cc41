// Builds an image with the engine's own program, which knows .dockerignore, caches and credentials, and names
// it by its content: what did not change is not a new release.

import { spawn } from "node:child_process";
import { constants, existsSync, mkdtempSync, rmSync } from "node:fs";
import {
  copyFile,
  link,
  lstat,
  mkdir,
  readFile,
  readlink,
  symlink,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { Refusal } from "../../base/refusal.ts";
import { LIBRARY_FOLDER, workerLibrary } from "./worker-library.ts";

export interface BuildRequest {
  folder: string;
  /** The text of a generated Dockerfile; null for the one in the folder. */
  dockerfile: string | null;
  /** Whether the context of a generated Dockerfile also gets freehold-worker. */
  bringsLibrary: boolean;
  /** The files of the context, which a generated Dockerfile alone gets. */
  files: string[];
  name: string;
  /** A repository that the image is pushed to; null to leave it in the engine. */
  push: string | null;
  /** docker or podman. */
  engine: string;
  platform: string | null;
  /** Receives what the engine prints. */
  report: (text: string) => void;
}

/** Returns the image's name. Throws Refusal, with the end of the engine's output, if a step fails. */
export async function buildImage(request: BuildRequest): Promise<string> {
  return inScratchFolder((scratch, signal) => buildIn(scratch, request, signal));
}

async function buildIn(
  scratch: string,
  request: BuildRequest,
  signal: AbortSignal,
): Promise<string> {
  const { dockerfile, push, engine, platform, report } = request;
  const run = (args: string[], input = "") => runEngine({ engine, args, input, signal }, report);
  const idFile = path.join(scratch, "id");
  const folder = dockerfile === null ? request.folder : path.join(scratch, "context");
  if (dockerfile !== null) await stageContext(request.folder, request.files, folder);
  if (request.bringsLibrary) await addWorkerLibrary(folder);
  const options = [
    ...(platform ? ["--platform", platform] : []),
    ...(dockerfile ? ["-f", "-"] : []),
  ];
  await run(["build", "--iidfile", idFile, ...options, folder], dockerfile ?? "");
  const id = (await readFile(idFile, "utf8")).trim();
  const repository = push ?? `freehold-deploy/${request.name.toLowerCase()}`;
  const image = `${repository}:${id.replace(/^sha256:/, "").slice(0, 12)}`;
  await run(["tag", id, image]);
  if (push) await run(["push", image]);
  return image;
}

/** The lines of output that an error repeats. */
const LAST_LINES = 15;

interface EngineCall {
  engine: string;
  args: string[];
  input: string;
  /** Ends the engine's program. */
  signal: AbortSignal;
}

async function runEngine(
  { engine, args, input, signal }: EngineCall,
  report: (text: string) => void,
): Promise<void> {
  const child = spawn(engine, args, { stdio: ["pipe", "pipe", "pipe"], signal });
  const lines: string[] = [];
  const collect = (text: string) => {
    lines.push(...text.split("\n").filter((line) => line.trim() !== ""));
    lines.splice(0, lines.length - LAST_LINES);
    report(text);
  };
  child.stdout.setEncoding("utf8").on("data", collect);
  child.stderr.setEncoding("utf8").on("data", collect);
  child.stdin.on("error", () => {}).end(input);
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once("error", ({ message }) => {
      const sentence = `${engine} does not run (${message}); a build needs Docker, or --engine podman`;
      reject(new Refusal(sentence));
    });
    child.once("close", resolve);
  });
  if (code === 0) return;
  throw new Refusal([`${engine} ${args[0]} ended with code ${code}:`, ...lines].join("\n"));
}

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/**
 * Runs `work` with a temporary folder that is removed on every way out, a signal included. A signal also ends
 * the process, and `abort` receives it first.
 */
async function inScratchFolder<Result>(
  work: (folder: string, signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const folder = mkdtempSync(path.join(tmpdir(), "freehold-deploy-"));
  const abort = new AbortController();
  const remove = () => rmSync(folder, { recursive: true, force: true });
  const end = (signal: NodeJS.Signals) => {
    abort.abort();
    remove();
    for (const each of SIGNALS) process.off(each, end);
    process.kill(process.pid, signal);
  };
  for (const signal of SIGNALS) process.on(signal, end);
  try {
    return await work(folder, abort.signal);
  } finally {
    for (const signal of SIGNALS) process.off(signal, end);
    remove();
  }
}

/**
 * Copies a build context for the engine. Engines differ in whether they take a list of ignored files from
 * outside the folder, and a folder of the user is not written to. Links the files, and copies them where the
 * file systems differ.
 */
async function stageContext(from: string, files: string[], to: string): Promise<void> {
  for (const name of files) {
    const [source, target] = [path.join(from, name), path.join(to, name)];
    await mkdir(path.dirname(target), { recursive: true });
    const entry = await lstat(source);
    if (entry.isSymbolicLink()) await symlink(await readlink(source), target);
    else if (entry.isFile()) await linkOrCopy(source, target);
  }
}

/** Adds freehold-worker, unless the context has it already. */
async function addWorkerLibrary(context: string): Promise<void> {
  const folder = path.join(context, LIBRARY_FOLDER);
  if (existsSync(folder)) return;
  for (const [name, text] of workerLibrary()) {
    const file = path.join(folder, name);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, text);
  }
}

async function linkOrCopy(source: string, target: string): Promise<void> {
  try {
    await link(source, target);
  } catch {
    await copyFile(source, target, constants.COPYFILE_FICLONE);
  }
}
