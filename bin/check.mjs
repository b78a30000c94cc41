// npm run check: everything that must hold, the fastest first. CONTRIBUTING.md says when to run which.
// Usage: node bin/check.mjs [--quick | --static]
// `--quick` runs the tests that the change since main touches; `--static` runs no tests.
import { spawnSync } from "node:child_process";
import path from "node:path";
import { build } from "./console.mjs";
import { installDependencies, root } from "./with-node.mjs";

await installDependencies("bin", "test", "bench");
if (!build()) process.exit(1);
const [, , mode] = process.argv;
const bin = (name) => path.join(root, "node_modules", ".bin", name);
/** Only what has changed since the last check is checked again. */
const incremental = (name) => [
  "--incremental",
  "--tsBuildInfoFile",
  path.join(root, ".cache", `${name}.json`),
];
const tests = (...flags) => [path.join(root, "bin", "test.mjs"), ...flags];
const steps = [
  ["format and lint", bin("biome"), ["check", "--error-on-warnings", "."]],
  ["types", bin("tsc"), ["--noEmit", ...incremental("tsc")]],
  [
    "types of the console",
    bin("tsc"),
    ["-p", path.join(root, "console"), ...incremental("tsc-console")],
  ],
];
if (mode === "--quick") {
  steps.push(["architecture and touched unit tests", process.execPath, tests("--touched")]);
} else if (mode !== "--static") {
  steps.push(["tests", process.execPath, tests("--all")]);
  steps.push(["tests on two replicas", process.execPath, tests("--replicas")]);
}
for (const [name, command, args] of steps) {
  process.stderr.write(`\n== ${name}\n`);
  const { status } = spawnSync(command, args, { cwd: root, stdio: "inherit" });
  if (status !== 0) {
    process.stderr.write(`\n${name}: failed\n`);
    process.exit(status ?? 1);
  }
}
