// Writes the project of a worker: a handler, a test of it, and what both need. Files that are there are not touched.

import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { Refusal } from "../../base/refusal.ts";
import { shellWord } from "../../base/text/shell-quote.ts";
import { write } from "../output/answer.ts";
import {
  javascriptProject,
  type ProjectFiles,
  type ProjectStep,
  pythonProject,
  RELEASE,
} from "./projects.ts";

/** An endpoint's name is at least this long. */
const MIN_NAME = 3;

export function initWorker(folder = ".", { javascript = false }: { javascript?: boolean }): void {
  const target = path.resolve(process.cwd(), folder);
  const name = endpointName(path.basename(target));
  const project = javascript ? javascriptProject(name) : pythonProject(name);
  const names = Object.keys(project.files);
  const taken = names.filter((each) => existsSync(path.join(target, each)));
  if (taken.length > 0) {
    throw new Refusal(`${target} has ${taken.join(", ")} already; name another folder`);
  }
  mkdirSync(target, { recursive: true });
  for (const [file, text] of Object.entries(project.files))
    writeFileSync(path.join(target, file), text, { flag: "wx" });
  write(nextSteps(folder, names, project));
}

/** What an endpoint and a package may be called. */
function endpointName(text: string): string {
  const words = text.toLowerCase().match(/[a-z0-9]+/g) ?? [];
  const name = words.join("-");
  return name.length >= MIN_NAME ? name : ["worker", ...words].join("-");
}

function nextSteps(folder: string, names: string[], { steps, packages }: ProjectFiles): string {
  const enter = folder === "." ? [] : [["enter", `cd ${shellWord(folder)}`] as const];
  const release = releaseFolder(packages);
  const all = [...enter, ...release.steps, ...steps(release.folder)];
  const lines = all.map(([what, command]) => `  ${what.padEnd(10)} ${command}`);
  return `${names.join(", ")} are written.\n${lines.join("\n")}\n`;
}

const CLONE = path.join(import.meta.dirname, "..", "..", "..");

interface Release {
  /** The folder as a word of a command. */
  folder: string;
  /** What has to be done before the folder has its files. */
  steps: ProjectStep[];
}

/** A clone can build the release; a package does not know where the others lie. */
function releaseFolder(extension: string): Release {
  if (!existsSync(path.join(CLONE, "packages", "pytest"))) return { folder: RELEASE, steps: [] };
  const folder = path.join(CLONE, "dist", "release");
  const isBuilt =
    existsSync(folder) && readdirSync(folder).some((name) => name.endsWith(extension));
  const build: ProjectStep = ["build", `npm run --prefix ${shellWord(CLONE)} release`];
  return { folder: shellWord(folder), steps: isBuilt ? [] : [build] };
}
