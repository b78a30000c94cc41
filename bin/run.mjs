// A runner for the project's own .ts files: node bin/run.mjs bench/jobs/main.ts [arguments]
import path from "node:path";
import { installDependencies, root, run } from "./with-node.mjs";

await installDependencies("bin", "test", "bench");
const [file, ...args] = process.argv.slice(2);
run(path.resolve(root, file), args, { cwd: root });
