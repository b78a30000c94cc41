// Builds all packages of one version into dist/release, with checksums, a bill of materials and the changelog's section.
// It publishes nothing. Usage: node bin/release/build.mjs [--wheels-if-possible]
import { rmSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { installDependencies } from "../with-node.mjs";

/** Builds everything; without `wheels`, those are left out with a warning if they cannot be built here. */
export async function buildRelease({ wheels }) {
  await installDependencies("bin");
  const npm = await import("./npm.mjs");
  const python = await import("./python.mjs");
  const { writePapers } = await import("./papers.mjs");
  rmSync(npm.release, { recursive: true, force: true });
  npm.buildWorkerLibrary();
  npm.pack("worker");
  npm.buildTestKit();
  npm.pack("testing");
  const packages = await npm.buildFreehold();
  npm.pack("freehold");
  const missing = python.missingForWheels();
  if (missing && wheels) throw new Error(missing);
  if (missing) process.stderr.write(`${missing}; they are left out\n`);
  else {
    python.buildFreeholdWheel();
    python.buildPytestWheel();
  }
  writePapers(packages);
  return npm.release;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const wheels = !process.argv.includes("--wheels-if-possible");
  try {
    process.stdout.write(`The packages are in ${await buildRelease({ wheels })}.\n`);
  } catch (error) {
    process.stderr.write(`freehold: no release was built: ${error.message}\n`);
    process.exitCode = 1;
  }
}
