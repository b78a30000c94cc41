// A service with the container driver on a real engine, which is emptied afterward.

import type { TestContext } from "node:test";
import { addCleanup } from "../fixtures/cleanup.ts";
import { removeMachine } from "../fixtures/docker/docker-driver-harness.ts";
import { docker, ensureShellImage, sharedEngine } from "../fixtures/docker/engine.ts";
import {
  type ServiceOptions,
  startService,
  type TestService,
} from "../fixtures/service/service.ts";

export interface ContainerService extends TestService {
  host: string;
  shellImage: string;
  /** `docker ...` on the engine. */
  docker(...args: string[]): string;
  /** The ids of the service's running containers. */
  containers(): string[];
  /** The events of the service's containers since an instant, in order: "start <id>", "die <id>". */
  events(since: number): string[];
}

export async function startContainerService(
  t: TestContext,
  options: ServiceOptions & { host?: string } = {},
): Promise<ContainerService> {
  const host = options.host ?? (await sharedEngine());
  const env = { FREEHOLD_DOCKER_HOST: host, ...options.env };
  const service = await startService(t, { drivers: "docker", ...options, env });
  const { machine } = service.service.replica;
  const runDocker = (...args: string[]) => docker(host, ...args);
  addCleanup(t, async () => {
    await service.stop();
    removeMachine(runDocker, machine);
  });
  const filters = ["--filter", `label=freehold.machine=${machine}`];
  return {
    ...service,
    host,
    events: (since) => {
      const span = ["--since", String(since / 1_000), "--until", String(Date.now() / 1_000)];
      return runDocker(
        "events",
        ...span,
        ...filters,
        "--format",
        "{{.Action}} {{.Actor.ID}}",
      ).split("\n");
    },
    shellImage: ensureShellImage(host),
    docker: runDocker,
    containers: () =>
      runDocker("ps", "--quiet", "--no-trunc", ...filters)
        .split("\n")
        .filter(Boolean),
  };
}
