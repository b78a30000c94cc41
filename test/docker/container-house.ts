// A house that runs its workers in containers of a real engine, and leaves nothing on it.

import type { TestContext } from "node:test";
import { clear } from "../../src/drivers/docker/docker-bench.testing.ts";
import { docker, ensureShellImage, sharedEngine } from "../../src/drivers/docker/engine.testing.ts";
import { type HouseOptions, startHouse, type TestHouse } from "../house.ts";
import { undo } from "../undo.ts";

export interface ContainerHouse extends TestHouse {
  host: string;
  shellImage: string;
  /** `docker ...` on the engine. */
  docker(...args: string[]): string;
  /** The ids of the house's containers that run. */
  containers(): string[];
  /** What happened to the house's containers since an instant, in order: "start <id>", "die <id>". */
  events(since: number): string[];
}

export async function startContainerHouse(
  t: TestContext,
  options: HouseOptions & { host?: string } = {},
): Promise<ContainerHouse> {
  const host = options.host ?? (await sharedEngine());
  const env = { FREEHOLD_DOCKER_HOST: host, ...options.env };
  const house = await startHouse(t, { drivers: "docker", ...options, env });
  const installation = house.house.replica.machine;
  const ask = (...args: string[]) => docker(host, ...args);
  undo(t, async () => {
    await house.stop();
    clear(ask, installation);
  });
  const mine = ["--filter", `label=freehold.installation=${installation}`];
  return {
    ...house,
    host,
    events: (since) => {
      const span = ["--since", String(since / 1_000), "--until", String(Date.now() / 1_000)];
      return ask("events", ...span, ...mine, "--format", "{{.Action}} {{.Actor.ID}}").split("\n");
    },
    shellImage: ensureShellImage(host),
    docker: ask,
    containers: () =>
      ask("ps", "--quiet", "--no-trunc", ...mine)
        .split("\n")
        .filter(Boolean),
  };
}
