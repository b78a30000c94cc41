// What the tests of the container driver share: a driver with an installation of its own on a real
// engine, which leaves nothing behind.

import { spawnSync } from "node:child_process";
import { setTimeout as realTime } from "node:timers/promises";
import { systemClock } from "../../base/clock.ts";
import { randomIds } from "../../base/ids.ts";
import type { Sighting, Workload } from "../driver.ts";
import { type DockerDriver, openDockerDriver } from "./docker-driver.ts";
import { docker, ensureShellImage, sharedEngine } from "./engine.testing.ts";
import { Engine } from "./engine.ts";
import { marksInMemory } from "./image-marks.testing.ts";
import { shelfInMemory } from "./log-shelf.testing.ts";
import { Networks } from "./networks.ts";

export interface DockerBench {
  host: string;
  image: string;
  installation: string;
  driver: DockerDriver;
  /** Closes this driver and opens another for the same installation. */
  reopen(): Promise<DockerDriver>;
  shell(id: string, script: string, more?: Partial<Workload>): Workload;
  see(id: string): Promise<Sighting | undefined>;
  ended(id: string): Promise<Sighting>;
  printed(id: string): Promise<string[]>;
  /** `docker ...` on the same engine. */
  docker(...args: string[]): string;
  dispose(): Promise<void>;
}

export async function dockerBench(
  host: string | null = null,
  installation = randomIds.short(14),
): Promise<DockerBench> {
  const engine = host ?? (await sharedEngine());
  const image = ensureShellImage(engine);
  const imageMarks = marksInMemory();
  const logShelf = shelfInMemory();
  const open = () =>
    openDockerDriver({
      host: engine,
      clock: systemClock,
      installation,
      imageMarks,
      logShelf,
      publishOn: "127.0.0.1",
    });
  const ask = (...args: string[]) => docker(engine, ...args);
  const bench: DockerBench = {
    host: engine,
    image,
    installation,
    driver: open(),
    async reopen() {
      await bench.driver.close();
      bench.driver = open();
      return bench.driver;
    },
    shell: (id, script, more = {}) => {
      return { id, image, entrypoint: [], command: ["sh", "-c", script], env: {}, ...more };
    },
    see: async (id) => (await bench.driver.list()).find((sighting) => sighting.id === id),
    async ended(id) {
      return until(async () => {
        const seen = await bench.see(id);
        return seen?.state === "ended" ? seen : null;
      });
    },
    printed: async (id) => (await bench.driver.logs(id, 10_000)).map(({ text }) => text),
    docker: ask,
    async dispose() {
      await bench.driver.close();
      clear(ask, installation);
    },
  };
  return bench;
}

/** Removes everything of an installation from an engine. */
export function clear(ask: DockerBench["docker"], installation: string): void {
  const mine = ["--quiet", "--filter", `label=freehold.installation=${installation}`];
  const each = (...list: string[]) =>
    ask(...list, ...mine)
      .split("\n")
      .filter(Boolean);
  const containers = each("ps", "--all");
  if (containers.length > 0) ask("rm", "--force", "--volumes", ...containers);
  const networks = each("network", "ls");
  if (networks.length > 0) ask("network", "rm", ...networks);
  dropRules(new Networks(new Engine({ host: "unix://" }, systemClock), installation).bridgePrefix);
  const volumes = each("volume", "ls");
  if (volumes.length > 0) ask("volume", "rm", ...volumes);
}

/** The rules of firewall.ts stay with the networks they are for; a test's have no use after it. */
function dropRules(prefix: string): void {
  for (const [from, way] of [
    ["INPUT", "IN"],
    ["DOCKER-USER", "OUT"],
  ] as const) {
    const chain = `FREEHOLD-${prefix}-${way}`;
    const sh = (line: string) => spawnSync("sh", ["-c", line], { stdio: "ignore" });
    sh(`iptables -w -D ${from} -i ${prefix}+ -j ${chain}; iptables -w -F ${chain}`);
    sh(`iptables -w -X ${chain}`);
  }
}

/** Waits in real time, because containers live in it. */
export async function until<T>(look: () => Promise<T> | T): Promise<NonNullable<T>> {
  for (let turn = 0; turn < 4_000; turn++) {
    const seen = await look();
    if (seen) return seen;
    await realTime(30);
  }
  throw new Error("what was waited for never came");
}
