// Freehold in a process of its own, with one cluster.

import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as realTime } from "node:timers/promises";
import type { Machine } from "../../../src/contract/rest-v1/machine/machine.ts";
import { freePort } from "../../../test/fixtures/free-port.ts";
import type { TestCluster } from "../../../test/fixtures/kubernetes/cluster.ts";
import { Service } from "../../../test/fixtures/service/service-process.ts";

const KEY = "fh_benchkubernetes0123456789abcdefghij";
const FLAGS = ["--drivers", "simulated", "--log-level", "fatal", "--proxy-listen", "off"];

export class ClusterService {
  readonly #dataFolder = mkdtempSync(path.join(tmpdir(), "freehold-bench-kubernetes-"));
  readonly #cluster: TestCluster;
  #service: Service | null = null;
  #id = "";

  constructor(cluster: TestCluster) {
    this.#cluster = cluster;
  }

  get origin(): string {
    return this.#service!.origin;
  }

  readonly key = KEY;

  /** Resolves once it serves requests. */
  async start(): Promise<void> {
    const env = { FREEHOLD_API_KEY: KEY, FREEHOLD_PUBLIC_URL: this.#cluster.reachUrl };
    const options = { dataFolder: this.#dataFolder, port: await freePort(), flags: FLAGS, env };
    this.#service = new Service(options);
    if (!(await this.#service.ready())) throw new Error(this.#service.stderr);
  }

  async stop(): Promise<void> {
    await this.#service?.end();
  }

  remove(): void {
    rmSync(this.#dataFolder, { recursive: true, force: true });
  }

  async addCluster(): Promise<void> {
    const { kubeconfig } = this.#cluster;
    const { id } = await this.call("POST", "/v1/machines", { kubeconfig, name: "bench" });
    this.#id = id;
  }

  /** Resolves once so many nodes are online. */
  async nodesOnline(count: number): Promise<void> {
    for (;;) {
      const all: Machine[] = await this.call("GET", "/v1/machines");
      const nodes = all.filter(({ cluster, online }) => cluster === this.#id && online);
      if (nodes.length >= count) return;
      await realTime(50);
    }
  }

  // biome-ignore lint/suspicious/noExplicitAny: any response of the service
  async call(method: string, route: string, body?: object): Promise<any> {
    const response = await fetch(this.origin + route, {
      method,
      headers: { authorization: `Bearer ${KEY}`, "content-type": "application/json" },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${route}: ${response.status} ${text}`);
    return text === "" ? null : JSON.parse(text);
  }

  /** Resident memory of the process. */
  get memoryMb(): number {
    const [, kb] = /VmRSS:\s+(\d+)/.exec(this.#proc("status"))!;
    return Number(kb) / 1_024;
  }

  /** CPU time that the process has used. */
  get cpuMs(): number {
    const fields = this.#proc("stat")
      .replace(/^.*\) /, "")
      .split(" ");
    const ticks = Number(fields[11]) + Number(fields[12]);
    return ticks * 10;
  }

  #proc(file: string): string {
    return readFileSync(`/proc/${this.#service!.pid}/${file}`, "utf8");
  }
}
