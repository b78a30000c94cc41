// A service on a container engine, for the comparison of its Pods with `docker run` of the same image and limits.

import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { removeMachine } from "../../test/fixtures/docker/docker-driver-harness.ts";
import { docker, ensureShellImage, sharedEngine } from "../../test/fixtures/docker/engine.ts";
import { type BenchService, startService } from "./service.ts";

export interface OnEngine {
  service: BenchService;
  /** A network like an account's. */
  network: string;
  /** Runs a command of the engine's client, beside the service, and returns its output. */
  docker(...args: string[]): Promise<string>;
  /** Starts a container and returns its id. */
  run(network: string): Promise<string>;
  /** The body of a request for a Pod like it. */
  pod: object;
}

const execute = promisify(execFile);

export async function onEngine<Result>(
  measure: (place: OnEngine) => Promise<Result>,
): Promise<Result> {
  const host = await sharedEngine();
  const image = ensureShellImage(host);
  const service = await startService("docker", host);
  const network = `${service.machine}-bench`;
  docker(host, "network", "create", network);
  const limits = ["--cpus", "2", "--memory", "4g"];
  const beside = async (...args: string[]) =>
    (await execute("docker", ["--host", host, ...args])).stdout.trim();
  const run = (on: string) =>
    beside("run", "--detach", ...limits, "--network", on, image, "sleep", "600");
  const pod = {
    imageName: image,
    computeType: "CPU",
    ports: [],
    volumeInGb: 0,
    dockerEntrypoint: ["sleep"],
    dockerStartCmd: ["600"],
  };
  try {
    return await measure({ service, network, docker: beside, run, pod });
  } finally {
    await service.stop();
    removeMachine((...args) => docker(host, ...args), service.machine);
    docker(host, "network", "rm", network);
  }
}
