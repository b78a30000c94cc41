// Public clients of the npm registry that only tests use, installed from test/sdk/npm-clients into the cache of test
// programs. Their install scripts do not run.

import { execFileSync } from "node:child_process";
import { copyFileSync, readFileSync } from "node:fs";
import path from "node:path";
import type { TestContext } from "node:test";
import { cachedFolder, type Made, madeFor, makeOnce } from "../fixtures/programs/program-cache.ts";

const MANIFESTS = path.join(import.meta.dirname, "npm-clients");
const LOCK = "package-lock.json";
const INSTALL = ["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];

export const NPM_CLIENTS = "the npm clients";

/** The path of a client's file; null if it cannot be installed, and the test is skipped. */
export function npmClient(t: TestContext, name: string): string | null {
  const packages = madeFor(t, NPM_CLIENTS, makeNpmClients);
  return packages === null ? null : path.join(packages, name);
}

/** The folder of their packages. */
export function makeNpmClients(): Made {
  const folder = cachedFolder("npm-clients", readFileSync(path.join(MANIFESTS, LOCK)));
  const problem = makeOnce(folder, (unfinished) => {
    for (const file of [LOCK, "package.json"]) {
      copyFileSync(path.join(MANIFESTS, file), path.join(unfinished, file));
    }
    try {
      execFileSync("npm", INSTALL, { cwd: unfinished, encoding: "utf8", stdio: "pipe" });
      return null;
    } catch (error) {
      const { stderr, message } = error as Error & { stderr?: string };
      const cause = stderr?.trim().split("\n").at(-1) || message;
      return { problem: `${NPM_CLIENTS} were not installed: ${cause}`, failed: true };
    }
  });
  return problem ?? { path: path.join(folder, "node_modules") };
}
