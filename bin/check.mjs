// npm run check: all checks to pass before a commit, the fastest first.
import { spawnSync } from "node:child_process";
import path from "node:path";
import { build } from "./console.mjs";
import { installDependencies, root } from "./with-node.mjs";

await installDependencies("bin", "test", "bench");
if (!build()) process.exit(1);
const bin = (name) => path.join(root, "node_modules", ".bin", name);
const steps = [
  ["format and lint", bin("biome"), ["check", "--error-on-warnings", "."]],
  ["types", bin("tsc"), ["--noEmit"]],
  ["types of the console", bin("tsc"), ["-p", path.join(root, "console")]],
  ["tests", process.execPath, [path.join(root, "bin", "test.mjs")]],
];
for (const [name, command, args] of steps) {
  process.stderr.write(`\n== ${name}\n`);
  const { status } = spawnSync(command, args, { cwd: root, stdio: "inherit" });
  if (status !== 0) {
    process.stderr.write(`\n${name}: failed\n`);
    process.exit(status ?? 1);
  }
}
