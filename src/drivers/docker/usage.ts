// What containers use, by the engine's own counters; and what they have on disk, which it has to
// measure, so that is asked for less often the longer it takes.

import { execFile } from "node:child_process";
import { promisify } from "node:util";
import type { Clock } from "../../base/clock.ts";
import type { Usage, VolumeName } from "../driver.ts";
import { LABEL } from "./container.ts";
import { type Engine, unlessMissing } from "./engine.ts";

const run = promisify(execFile);

/** Measuring takes at most one part in so many of the time. */
const REST = 10;

/** So many containers are asked about at the same time. */
const AT_ONCE = 16;

interface Disk {
  /** By container. */
  own: Map<string, number>;
  /** By the engine's name of the volume. */
  volumes: Map<string, VolumeName & { bytes: number }>;
}

interface Stats {
  cpu_stats: { cpu_usage: { total_usage: number } };
  memory_stats: { usage?: number; limit?: number; stats?: Record<string, number> };
  networks?: Record<string, { rx_bytes: number; tx_bytes: number }>;
}

export class ContainerUsage {
  readonly #engine: Engine;
  readonly #clock: Clock;
  readonly #filters: { label: string[] };
  #disk: Disk = { own: new Map(), volumes: new Map() };
  #measuring: Promise<void> | null = null;
  #measureAt = 0;

  constructor(engine: Engine, clock: Clock, installation: string) {
    this.#engine = engine;
    this.#clock = clock;
    this.#filters = { label: [`${LABEL.installation}=${installation}`] };
  }

  async look(): Promise<Usage[]> {
    const filters = { ...this.#filters, status: ["running"] };
    const running = await this.#engine.askSoon((docker) => docker.listContainers({ filters }));
    if (running.length > 0) await this.#measureNowAndThen();
    const usages: Usage[] = [];
    for (let at = 0; at < running.length; at += AT_ONCE) {
      const some = running.slice(at, at + AT_ONCE);
      const looks = some.map(({ Id, Labels, Mounts }) =>
        this.#lookAt(Id, Labels[LABEL.workload] ?? "", Mounts),
      );
      usages.push(...(await Promise.all(looks)).flat());
    }
    return usages;
  }

  async #lookAt(container: string, id: string, mounts: { Name?: string }[]): Promise<Usage[]> {
    // Its library does not know "one-shot", which spares a second of waiting for a second look.
    const how = { stream: false as const, "one-shot": true };
    const stats = await this.#engine.askSoon((docker) =>
      unlessMissing(docker.getContainer(container).stats(how) as Promise<unknown>),
    );
    if (stats === null || id === "") return [];
    const { cpu_stats, memory_stats, networks } = stats as Stats;
    const nets = Object.values(networks ?? {});
    const { usage = 0, limit, stats: parts = {} } = memory_stats;
    return [
      {
        id,
        at: this.#clock.now(),
        cpuMs: cpu_stats.cpu_usage.total_usage / 1e6,
        // Files that are only cached can be let go of.
        memoryBytes: Math.max(0, usage - (parts.inactive_file ?? parts.total_inactive_file ?? 0)),
        memoryLimitBytes: limit ?? null,
        receivedBytes: nets.reduce((sum, { rx_bytes }) => sum + rx_bytes, 0),
        sentBytes: nets.reduce((sum, { tx_bytes }) => sum + tx_bytes, 0),
        diskBytes: this.#disk.own.get(container) ?? null,
        volumes: mounts.flatMap(({ Name }) => this.#disk.volumes.get(Name ?? "") ?? []),
      },
    ];
  }

  /** Waits for what is quick to measure; what takes longer is there at a later look. */
  async #measureNowAndThen(): Promise<void> {
    const began = this.#clock.now();
    if (this.#measuring || began < this.#measureAt) return;
    this.#measuring = this.#measure()
      .catch(() => {}) // it is tried again
      .finally(() => {
        this.#measureAt = this.#clock.now() + REST * (this.#clock.now() - began);
        this.#measuring = null;
      });
    const { promise: soon, resolve } = Promise.withResolvers<void>();
    const cancel = this.#clock.after(2_000, resolve);
    await Promise.race([this.#measuring, soon]);
    cancel();
  }

  async #measure(): Promise<void> {
    const sized = await this.#engine.ask((docker) =>
      docker.listContainers({ filters: this.#filters, size: true }),
    );
    const own = new Map(
      sized.map((each) => [each.Id, (each as { SizeRw?: number }).SizeRw ?? 0] as const),
    );
    this.#disk = { own, volumes: await this.#measureVolumes() };
  }

  async #measureVolumes(): Promise<Disk["volumes"]> {
    const { Volumes: all } = await this.#engine.askSoon((docker) =>
      docker.listVolumes({ filters: this.#filters }),
    );
    const sizes = await this.#sizesOf(all ?? []);
    const volumes: Disk["volumes"] = new Map();
    for (const { Name, Labels } of all ?? []) {
      const [kind, name] = (Labels?.[LABEL.volume] ?? "").split("/");
      const bytes = sizes.get(Name);
      if (bytes === undefined || !name || (kind !== "pod" && kind !== "network")) continue;
      volumes.set(Name, { kind, name, bytes });
    }
    return volumes;
  }

  /** By looking into them where they are on this machine; else the engine measures all it has. */
  async #sizesOf(volumes: { Name: string; Mountpoint: string }[]): Promise<Map<string, number>> {
    if (volumes.length === 0) return new Map();
    const local = this.#engine.host.startsWith("unix:");
    const here = local ? await diskUse(volumes.map(({ Mountpoint }) => Mountpoint)) : null;
    if (here) {
      return new Map(volumes.flatMap(({ Name, Mountpoint }) => entry(Name, here.get(Mountpoint))));
    }
    const used = (await this.#engine.ask((docker) => docker.df())) as {
      Volumes?: { Name: string; UsageData?: { Size: number } }[];
    };
    return new Map(
      (used.Volumes ?? []).flatMap(({ Name, UsageData }) => entry(Name, UsageData?.Size)),
    );
  }
}

const entry = (name: string, bytes: number | undefined): [string, number][] =>
  bytes === undefined || bytes < 0 ? [] : [[name, bytes]];

/** Bytes on disk by folder; null where they may not be looked into. */
async function diskUse(folders: string[]): Promise<Map<string, number> | null> {
  try {
    const { stdout } = await run("du", ["-s", "-B1", "-x", "--", ...folders], {
      maxBuffer: 2 ** 24,
    });
    const lines = stdout.split("\n").map((line) => /^(\d+)\t(.*)$/.exec(line));
    return new Map(lines.flatMap((line) => (line ? [[line[2]!, Number(line[1])] as const] : [])));
  } catch {
    return null;
  }
}
