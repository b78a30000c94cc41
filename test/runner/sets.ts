// Which command runs which test files. `npm test` runs the set "core", `npm run test:all` runs both.

import { readdirSync } from "node:fs";
import path from "node:path";

export const ROOT = path.join(import.meta.dirname, "..", "..");

/**
 * `core` needs no other program than Node for most of its tests, and is small enough to run before each commit. `more`
 * needs engines, clusters, databases, older SDKs or much time, or goes through one page or one rule at length.
 */
export type TestSet = "core" | "more";

/** Folders and files; the longest match counts. */
export const SETS: Record<string, TestSet> = {
  src: "core",
  "src/drivers/docker/docker-driver.test.ts": "more",
  "src/drivers/docker/log/container-logs.test.ts": "more",
  "src/drivers/docker/podman.test.ts": "more",
  "src/drivers/kubernetes/kubernetes-driver.test.ts": "more",
  sim: "core",
  bench: "more",
  "test/accounts": "core",
  "test/accounts/belongings.test.ts": "more",
  "test/accounts/fair-share.test.ts": "more",
  "test/accounts/separation": "more",
  "test/architecture": "core",
  "test/backup": "more",
  "test/balancer": "more",
  "test/billing": "core",
  "test/boot": "more",
  "test/cassette": "more",
  "test/cli": "core",
  "test/compose": "more",
  "test/conformance": "core",
  "test/conformance/store/postgres.test.ts": "more",
  "test/console": "more",
  "test/console/cron-in-words.test.ts": "core",
  "test/console/every-page.test.ts": "core",
  "test/console/files.test.ts": "core",
  "test/console/forms.test.ts": "core",
  "test/console/jobs.test.ts": "core",
  "test/console/label-rows.test.ts": "core",
  "test/console/library-line.test.ts": "core",
  "test/console/pods.test.ts": "core",
  "test/console/reachable.test.ts": "core",
  "test/console/sign-in.test.ts": "core",
  "test/console/validate-body.test.ts": "core",
  "test/console/week.test.ts": "core",
  "test/crash": "core",
  "test/crash/sync.test.ts": "more",
  "test/docker": "more",
  "test/docs": "core",
  "test/docs/curl-examples.test.ts": "more",
  "test/docs/openapi.test.ts": "more",
  "test/docs/simulated-session.test.ts": "more",
  "test/faults": "more",
  "test/fidelity": "core",
  "test/graphql": "core",
  "test/http": "core",
  "test/http/slow-bodies.test.ts": "more",
  "test/intercept": "more",
  "test/labels": "core",
  "test/kubernetes": "more",
  "test/models": "more",
  "test/notification": "core",
  "test/package": "more",
  "test/pods": "core",
  "test/pods/exemptions.test.ts": "more",
  "test/pods/gpu-loss.test.ts": "more",
  "test/pods/gpu-quarantine.test.ts": "more",
  "test/pods/gpu-scenario.test.ts": "more",
  "test/pods/gpu-shares.test.ts": "more",
  "test/pods/idle.test.ts": "more",
  "test/pods/lifetime.test.ts": "more",
  "test/pods/machine-load.test.ts": "more",
  "test/pods/mig.test.ts": "more",
  "test/pods/mig-interrupted.test.ts": "more",
  "test/pods/mig-layout.test.ts": "more",
  "test/pods/mig-restart.test.ts": "more",
  "test/pods/share-over-time.test.ts": "more",
  "test/pods/shell.test.ts": "more",
  "test/postgres": "more",
  "test/properties": "more",
  "test/proxy": "core",
  "test/queue": "core",
  "test/remote": "more",
  "test/replicas": "more",
  "test/rest": "core",
  "test/rest-v2": "core",
  "test/runner": "core",
  "test/s3": "more",
  "test/sign-in": "core",
  "test/sign-in/checks.test.ts": "more",
  "test/sandboxes": "core",
  "test/sdk": "core",
  "test/sdk/python-client.test.ts": "more",
  "test/sdk/runpod-1.6.test.ts": "more",
  "test/sdk/runpod-1.7.test.ts": "more",
  "test/sdk/runpod-2.0.test.ts": "more",
  "test/sdk/runpod-2.0-command-line.test.ts": "more",
  "test/sdk/runpod-2.0-management.test.ts": "more",
  "test/sdk/service-crash.test.ts": "more",
  "test/simulator": "more",
  "test/team": "more",
  "test/testing": "more",
  "test/tls": "more",
  "test/tracing": "more",
  "test/vault": "core",
  "test/volumes": "core",
  "test/webhook": "core",
  "test/why": "core",
  "test/workers": "core",
  "test/workers/job-logs.test.ts": "more",
  "test/workers/simulated.test.ts": "more",
};

/** The set of a file, or undefined if no entry covers it. */
export function setOf(file: string): TestSet | undefined {
  for (let name = file; name !== "."; name = path.posix.dirname(name)) {
    if (Object.hasOwn(SETS, name)) return SETS[name];
  }
  return undefined;
}

/** All test files of the repository, sorted, as `src/domain/job/job.test.ts`. */
export function allTestFiles(): string[] {
  return ["src", "sim", "bench", "test"].flatMap(testFilesBelow).sort();
}

/** The test files below a folder, or the file itself. Paths are relative to the repository. */
export function testFilesBelow(folder: string): string[] {
  return readdirSync(path.join(ROOT, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".test.ts") && !name.includes("node_modules"))
    .map((name) => path.posix.join(folder, name.replaceAll(path.sep, "/")));
}
