// Builds all packages into dist/release. It publishes nothing. Usage: node bin/release/build.mjs
import { rmSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { buildFreehold, buildTestKit, buildWorkerLibrary, pack, release } from "./npm.mjs";
import { buildFreeholdWheel, buildPytestWheel, missingForWheels } from "./python.mjs";

/** Builds everything; the wheels are left out with a warning if they cannot be built here. */
export async function buildRelease() {
  rmSync(release, { recursive: true, force: true });
  buildWorkerLibrary();
  pack("worker");
  buildTestKit();
  pack("testing");
  await buildFreehold();
  pack("freehold");
  const missing = missingForWheels();
  if (missing) process.stderr.write(`${missing}; they are left out\n`);
  else {
    buildFreeholdWheel();
    buildPytestWheel();
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await buildRelease();
  process.stdout.write(`The packages are in ${release}.\n`);
}
