// The clean-up of a Kubernetes test cluster: stops the cluster in a folder, if there is one, and removes the folder.
// Usage: node bin/stop-kubernetes.mjs <folder>
import { spawnSync } from "node:child_process";
import { existsSync, rmSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

const DOWN = fileURLToPath(new URL("../test/kubernetes/cluster/down", import.meta.url));

export function stopKubernetes(folder) {
  const cluster = path.join(folder, "cluster");
  if (existsSync(path.join(cluster, "cluster"))) spawnSync(DOWN, [cluster], { stdio: "inherit" });
  rmSync(folder, { recursive: true, force: true });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) stopKubernetes(process.argv[2]);
