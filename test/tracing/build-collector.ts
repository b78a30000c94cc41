// Builds the collector ahead of the tests that need it: node bin/run.mjs test/tracing/build-collector.ts

import { buildGoProgram } from "../fixtures/go-program.ts";
import { COLLECTOR } from "./collector.ts";

const built = buildGoProgram(COLLECTOR);
if ("problem" in built) {
  process.stderr.write(`${built.problem}\n`);
  process.exitCode = 1;
}
