// npm run generate: writes every file that is made from another one. The tests fail while one of them is stale.
import { spawnSync } from "node:child_process";
import path from "node:path";
import { findNode, installDependencies, root } from "./with-node.mjs";

await installDependencies("bin", "test");

const node = (script) => [findNode(), path.join(root, script)];
const steps = [
  ["types of the GraphQL schema", ...node("bin/codegen.mjs")],
  // Needs PostgreSQL's programs for one of the two.
  ["snapshots of the database's schema", ...node("test/architecture/write-schema.ts")],
  ["OpenAPI documents, error codes and tested operations", ...node("test/docs/write.ts")],
  ["format", path.join(root, "node_modules", ".bin", "biome"), "format", "--write", "docs", "src"],
];
for (const [name, command, ...args] of steps) {
  process.stderr.write(`== ${name}\n`);
  const { status } = spawnSync(command, args, { cwd: root, stdio: ["ignore", "ignore", 2] });
  if (status === 0) continue;
  process.stderr.write(`${name}: failed\n`);
  process.exit(1);
}
