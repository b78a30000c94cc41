// The resource usage of containers, from the engine's counters, and their disk usage. Measuring disks
// is slow, so it happens less often the longer it takes.

import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { type Clock, Deadline, within } from "../../../base/clock.ts";
import type { Usage, VolumeName } from "../../driver.ts";
import { type Engine, unlessMissing } from "../engine.ts";
import { type ContainerOwner, LABEL, ownerFilter } from "./container-spec.ts";

const run = promisify(execFile);

/** The pause after a measurement is this many times its duration. */
const PAUSE_FACTOR = 10;

/** How many containers are read in parallel. */
const MAX_PARALLEL_READS = 16;

interface Disk {
  /** Container disks, by container. */
  containers: Map<string, number>;
  /** Volumes, by the engine's name. */
  volumes: Map<string, VolumeName & { bytes: number }>;
}

interface Stats {
  cpu_stats: { cpu_usage: { total_usage: number } };
  memory_stats: { usage?: number; limit?: number; stats?: Record<string, number> };
  networks?: Record<string, { rx_bytes: number; tx_bytes: number }>;
}

/** The engine answers nothing if the container ends meanwhile. */
function isStats(answer: unknown): answer is Stats {
  const { cpu_stats, memory_stats } = (answer || {}) as Partial<Stats>;
  return cpu_stats?.cpu_usage !== undefined && memory_stats !== undefined;
}

export class ContainerUsage {
  readonly #engine: Engine;
  readonly #clock: Clock;
  readonly #filters: { label: string[] };
  #disk: Disk = { containers: new Map(), volumes: new Map() };
  #measuring: Promise<void> | null = null;
  #measureAt = 0;

  constructor(engine: Engine, clock: Clock, owner: ContainerOwner) {
    this.#engine = engine;
    this.#clock = clock;
    this.#filters = ownerFilter(owner);
  }

  async read(): Promise<Usage[]> {
    const filters = { ...this.#filters, status: ["running"] };
    const running = await this.#engine.callWithin((docker) => docker.listContainers({ filters }));
    if (running.length > 0) await this.#measureIfDue();
    const usages: Usage[] = [];
    for (let at = 0; at < running.length; at += MAX_PARALLEL_READS) {
      const batch = running.slice(at, at + MAX_PARALLEL_READS);
      const reads = batch.map(({ Id, Labels, Mounts }) =>
        this.#readOne(Id, Labels[LABEL.workload] ?? "", Mounts),
      );
      usages.push(...(await Promise.all(reads)).flat());
    }
    return usages;
  }

  async #readOne(container: string, id: string, mounts: { Name?: string }[]): Promise<Usage[]> {
    // "one-shot", which the library's types lack, avoids the engine's wait of a second for a second sample.
    const options = { stream: false as const, "one-shot": true };
    const stats = await this.#engine.callWithin((docker) =>
      unlessMissing(docker.getContainer(container).stats(options) as Promise<unknown>),
    );
    if (!isStats(stats) || id === "") return [];
    const { cpu_stats, memory_stats, networks } = stats;
    const nets = Object.values(networks ?? {});
    const { usage = 0, limit, stats: parts = {} } = memory_stats;
    return [
      {
        id,
        at: this.#clock.now(),
        cpuMs: cpu_stats.cpu_usage.total_usage / 1e6,
        // The page cache is left out, because the kernel can reclaim it.
        memoryBytes: Math.max(0, usage - (parts.inactive_file ?? parts.total_inactive_file ?? 0)),
        memoryLimitBytes: limit ?? null,
        receivedBytes: networks ? nets.reduce((sum, { rx_bytes }) => sum + rx_bytes, 0) : null,
        sentBytes: networks ? nets.reduce((sum, { tx_bytes }) => sum + tx_bytes, 0) : null,
        diskBytes: this.#disk.containers.get(container) ?? null,
        volumes: mounts.flatMap(({ Name }) => this.#disk.volumes.get(Name ?? "") ?? []),
      },
    ];
  }

  /** Waits for a quick measurement; a longer one serves a later read. */
  async #measureIfDue(): Promise<void> {
    const startedAt = this.#clock.ticks();
    if (this.#measuring || startedAt < this.#measureAt) return;
    const measuring = this.#measure()
      .catch(() => {}) // the next measurement tries again
      .finally(() => {
        const endedAt = this.#clock.ticks();
        this.#measureAt = endedAt + PAUSE_FACTOR * (endedAt - startedAt);
        this.#measuring = null;
      });
    this.#measuring = measuring;
    await within(new Deadline(this.#clock, 2_000), () => measuring);
  }

  async #measure(): Promise<void> {
    const sized = await this.#engine.callWhileAlive((docker) =>
      docker.listContainers({ filters: this.#filters, size: true }),
    );
    const containers = new Map(
      sized.map((each) => [each.Id, (each as { SizeRw?: number }).SizeRw ?? 0] as const),
    );
    this.#disk = { containers, volumes: await this.#measureVolumes() };
  }

  async #measureVolumes(): Promise<Disk["volumes"]> {
    const { Volumes: all } = await this.#engine.callWithin((docker) =>
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

  /** Measures the folders of a local engine; a remote engine measures all its volumes itself. */
  async #sizesOf(volumes: { Name: string; Mountpoint: string }[]): Promise<Map<string, number>> {
    if (volumes.length === 0) return new Map();
    const isLocal = this.#engine.host.startsWith("unix:");
    const folderSizes = isLocal ? await diskUse(volumes.map(({ Mountpoint }) => Mountpoint)) : null;
    if (folderSizes) {
      return new Map(
        volumes.flatMap(({ Name, Mountpoint }) => entry(Name, folderSizes.get(Mountpoint))),
      );
    }
    const usage = (await this.#engine.callWhileAlive((docker) => docker.df())) as {
      Volumes?: { Name: string; UsageData?: { Size: number } }[];
    };
    return new Map(
      (usage.Volumes ?? []).flatMap(({ Name, UsageData }) => entry(Name, UsageData?.Size)),
    );
  }
}

const entry = (name: string, bytes: number | undefined): [string, number][] =>
  bytes === undefined || bytes < 0 ? [] : [[name, bytes]];

/** Bytes on disk by folder; null if the folders cannot be read. */
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
