// kubectl beside the event loop, which simulates the kubelets of paper nodes.

import { spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import type { TestCluster } from "../../../test/fixtures/kubernetes/cluster.ts";

const KUBECTL = path.join(import.meta.dirname, "../../../test/kubernetes/cluster/kubectl");

/** Resolves to its output. */
export async function kubectl(cluster: TestCluster, args: string[], input = ""): Promise<string> {
  const child = spawn(KUBECTL, [cluster.folder, ...args], { stdio: ["pipe", "pipe", "inherit"] });
  child.stdin.end(input);
  const exit = once(child, "exit");
  const chunks: Buffer[] = [];
  for await (const chunk of child.stdout) chunks.push(chunk as Buffer);
  const [code] = await exit;
  if (code !== 0) throw new Error(`kubectl ${args[0]} ended with ${code}`);
  return Buffer.concat(chunks).toString().trim();
}

/** The time until the first byte of its output. It is ended then. */
export async function firstByte(cluster: TestCluster, args: string[]): Promise<number> {
  const before = performance.now();
  const child = spawn(KUBECTL, [cluster.folder, ...args], { stdio: ["ignore", "pipe", "ignore"] });
  const exit = once(child, "exit");
  await once(child.stdout, "data");
  const took = performance.now() - before;
  child.kill("SIGTERM");
  await exit;
  return took;
}
