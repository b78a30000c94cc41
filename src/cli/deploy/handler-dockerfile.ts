// The Dockerfile of a handler that has none: its language, its packages, and its files.

import { UsageError } from "../../base/refusal.ts";

interface Dependencies {
  /** The text of requirements.txt, or null. */
  requirements: string | null;
  /** The text of package.json, or null. */
  package: string | null;
}

/** Packages are installed before the other files are copied, so that a build repeats only what changed. */
export function handlerDockerfile(file: string, dependencies: Dependencies): string {
  if (file.endsWith(".py")) return pythonText(file, dependencies.requirements);
  if (/\.[cm]?[jt]s$/.test(file)) return nodeText(file, dependencies.package);
  throw new UsageError(
    `${file} is no handler in Python, JavaScript or TypeScript; write a Dockerfile`,
  );
}

function pythonText(file: string, requirements: string | null): string {
  const hasRunpod = /^runpod\b/m.test(requirements ?? "");
  const packages = [
    ...(requirements === null ? [] : ["-r requirements.txt"]),
    ...(hasRunpod ? [] : ["runpod"]),
  ];
  return [
    "FROM python:3.12-slim",
    "WORKDIR /app",
    ...(requirements === null ? [] : ["COPY requirements.txt ."]),
    `RUN pip install --no-cache-dir ${packages.join(" ")}`,
    "COPY . .",
    `CMD ${JSON.stringify(["python", "-u", file])}`,
    "",
  ].join("\n");
}

/** npm leaves out what the context brings, and development packages, whose files are often outside of it. */
const NPM_INSTALL =
  "RUN npm pkg delete dependencies.freehold-worker devDependencies && npm install --omit=dev";

function nodeText(file: string, packageText: string | null): string {
  return [
    "FROM node:24-slim",
    "WORKDIR /app",
    ...(packageText === null ? [] : ["COPY package*.json .", NPM_INSTALL]),
    "COPY . .",
    `CMD ${JSON.stringify(["node", file])}`,
    "",
  ].join("\n");
}
