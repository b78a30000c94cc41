// The metrics of the whole installation, read from the store at each scrape.

import Counter from "prom-client/lib/counter.js";
import Gauge from "prom-client/lib/gauge.js";
import type Registry from "prom-client/lib/registry.js";
import type { Clock } from "../../base/clock.ts";
import { recentErrors } from "../../domain/gpu/health-record.ts";
import { noLabels } from "../../domain/label/labels.ts";
import { boundedValue, metricLabel } from "../../domain/metrics/label-values.ts";
import { largest } from "../../domain/metrics/largest.ts";
import type { HeartbeatTiming } from "../../domain/replica/heartbeat-timing.ts";
import type { Store } from "../../store/engine/store.ts";
import {
  countAll,
  type EndpointCounts,
  type InstallationCounts,
  type LabeledUsages,
} from "../../store/metrics/metrics.ts";
import {
  type UnknownInstallation,
  unknownInstallations,
} from "../../store/unknown-installation/unknown-installation.ts";
import { listMachines, type MachineView } from "../machine/list.ts";

export interface InstallationDeps {
  store: Store;
  clock: Clock;
  heartbeatTiming: HeartbeatTiming;
  /** Names of labels of resources that become labels of metrics. */
  metricsLabels: readonly string[];
}

/** What the store held at one scrape. */
interface Snapshot extends InstallationCounts {
  labelsOf: (endpoint: EndpointCounts) => Record<string, string>;
  machines: MachineView[];
  unknown: UnknownInstallation[];
  now: number;
}

type Sample = [labels: Record<string, string>, value: number];

/** With more endpoints than this, the least busy ones are exported together as "other". */
const MAX_ENDPOINTS = 200;

export class InstallationMetrics {
  readonly #deps: InstallationDeps;
  readonly #registry: Registry;
  readonly #labelNames: readonly string[];
  #snapshot: Promise<Snapshot> | null = null;

  constructor(deps: InstallationDeps, registry: Registry) {
    this.#deps = deps;
    this.#labelNames = deps.metricsLabels;
    this.#registry = registry;
    this.#registerJobs();
    this.#registerWorkloads();
    this.#registerMoney();
    this.#registerLabels();
  }

  /** The text of every metric in the registry; the store is read once. */
  scrape(): Promise<string> {
    const snapshot = this.#readStore();
    this.#snapshot = snapshot;
    return snapshot.then(() => this.#registry.metrics());
  }

  async #readStore(): Promise<Snapshot> {
    const now = this.#deps.clock.now();
    const counts = await this.#deps.store.read(countAll, now, this.#labelNames.length > 0);
    const machines = await listMachines(this.#deps);
    const unknown = await this.#deps.store.read(unknownInstallations);
    const endpoints = largestEndpoints(counts.endpoints);
    const labelsOf = this.#endpointLabels(endpoints);
    return { ...counts, endpoints, labelsOf, machines, unknown, now };
  }

  #registerJobs(): void {
    this.#endpointGauge("jobs_queued", "Jobs in the queue.", ({ queued }) => queued);
    this.#register(Gauge, {
      name: "jobs_held",
      help: "Jobs that a concurrency key or a rate limit keeps out of the queue, counted up to 100,000.",
      labelNames: ["reason"],
      read: ({ held }) => Object.entries(held).map(([reason, n]): Sample => [{ reason }, n]),
    });
    this.#endpointGauge("jobs_running", "Jobs that a worker is running.", ({ running }) => running);
    this.#endpointGauge(
      "queue_head_age_seconds",
      "Seconds that the next job in the queue has waited.",
      ({ oldestAt }, now) => secondsSince(oldestAt, now),
    );
    this.#register(Counter, {
      name: "jobs_ended_total",
      help: "Jobs that ended in COMPLETED or FAILED since the endpoint was created.",
      labelNames: ["endpoint", "outcome", ...this.#labelNames.map(metricLabel)],
      read: ({ endpoints, labelsOf }) =>
        endpoints.flatMap((endpoint): Sample[] => [
          [{ ...labelsOf(endpoint), outcome: "completed" }, endpoint.completed],
          [{ ...labelsOf(endpoint), outcome: "failed" }, endpoint.failed],
        ]),
    });
  }

  #registerWorkloads(): void {
    this.#register(Gauge, {
      name: "workers",
      help: "Workers that have not ended, by desired and observed state.",
      labelNames: ["desired", "observed"],
      read: ({ workers }) => workers.map(stateSample),
    });
    this.#register(Gauge, {
      name: "pods",
      help: "Pods, by desired and observed state.",
      labelNames: ["desired", "observed"],
      read: ({ pods }) => pods.map(stateSample),
    });
    this.#register(Gauge, {
      name: "machines",
      help: "Machines, by whether their heartbeat is current.",
      labelNames: ["online"],
      read: ({ machines }) => {
        const online = machines.filter((machine) => machine.online).length;
        return [
          [{ online: "true" }, online],
          [{ online: "false" }, machines.length - online],
        ];
      },
    });
    this.#register(Gauge, {
      name: "gpus_unhealthy",
      help: "GPUs that no new workload gets, by machine and by the code of the reason.",
      labelNames: ["machine", "code"],
      read: ({ machines }) =>
        machines.flatMap(({ machine, inventory: { gpuFaults = [] } }) =>
          gpuFaults.map(({ code }): Sample => [{ machine, code }, 1]),
        ),
    });
    this.#register(Gauge, {
      name: "gpu_errors",
      help: "Errors of a GPU within a day, from its driver in the kernel log, by their code and by the workload that had it.",
      labelNames: ["machine", "gpu", "code", "workload"],
      read: ({ machines, now }) =>
        machines.flatMap(({ machine, inventory: { gpuNumbers = {} }, gpuHealth }) =>
          recentErrors(gpuHealth, now).flatMap(({ uuid, code, workload, count }): Sample[] =>
            gpuNumbers[uuid] === undefined
              ? []
              : [
                  [
                    { machine, gpu: String(gpuNumbers[uuid]), code, workload: workload ?? "" },
                    count,
                  ],
                ],
          ),
        ),
    });
    this.#register(Gauge, {
      name: "unknown_containers",
      help: "Containers on a machine that belong to another installation of Freehold.",
      labelNames: ["machine"],
      read: ({ machines, unknown }) =>
        machines.map(({ machine }): Sample => {
          const onMachine = unknown.filter((each) => each.machine === machine);
          return [{ machine }, onMachine.reduce((sum, { containers }) => sum + containers, 0)];
        }),
    });
  }

  #registerMoney(): void {
    this.#gauge(
      "meter_lag_seconds",
      "Seconds by which the ledger is behind metered usage.",
      ({ metered, now }) => secondsSince(metered.chargedTo, now),
    );
    this.#gauge(
      "usages_open",
      "Usages that are being metered, such as running Pods and volumes.",
      ({ metered }) => metered.open,
    );
    this.#gauge(
      "spend_dollars_per_hour",
      "Dollars per hour that all metered usage costs.",
      ({ metered }) => metered.rate / 1_000_000,
    );
    this.#gauge("budgets_spent", "Budgets that are used up and block spending.", (snapshot) =>
      Number(snapshot.budgetsSpent),
    );
  }

  #registerLabels(): void {
    const labelNames = ["kind", "label", "value"];
    this.#register(Gauge, {
      name: "label_spend_dollars_per_hour",
      help: "Dollars per hour that metered usage costs, by the values of a label.",
      labelNames,
      read: (snapshot) => this.#labelSamples(snapshot, ({ rate }) => rate / 1_000_000),
    });
    this.#register(Gauge, {
      name: "label_running",
      help: "Resources that are metered for more than disks, by the values of a label.",
      labelNames,
      read: (snapshot) => this.#labelSamples(snapshot, ({ running }) => running),
    });
  }

  /** A sample for each label, kind and value, of which `inc` makes sums. */
  #labelSamples({ labeled }: Snapshot, amountOf: (usages: LabeledUsages) => number): Sample[] {
    const sized = labeled.map(({ labels, rate }) => ({ labels, size: rate }));
    return this.#labelNames.flatMap((label) => {
      const metricValue = boundedValue(label, sized);
      return labeled.map((usages): Sample => {
        return [{ kind: usages.kind, label, value: metricValue(usages.labels) }, amountOf(usages)];
      });
    });
  }

  #gauge(name: string, help: string, value: (snapshot: Snapshot) => number): void {
    const read = (snapshot: Snapshot): Sample[] => [[{}, value(snapshot)]];
    this.#register(Gauge, { name, help, labelNames: [], read });
  }

  #endpointGauge(
    name: string,
    help: string,
    value: (endpoint: EndpointCounts, now: number) => number,
  ): void {
    const read = ({ endpoints, labelsOf, now }: Snapshot) =>
      endpoints.map((endpoint): Sample => [labelsOf(endpoint), value(endpoint, now)]);
    const labelNames = ["endpoint", ...this.#labelNames.map(metricLabel)];
    this.#register(Gauge, { name, help, labelNames, read });
  }

  /** What labels an endpoint's series: its id, and its labels that metrics have. */
  #endpointLabels(
    endpoints: readonly EndpointCounts[],
  ): (endpoint: EndpointCounts) => Record<string, string> {
    const sized = endpoints.map(({ labels }) => ({ labels, size: 1 }));
    const values = this.#labelNames.map((name) => [name, boundedValue(name, sized)] as const);
    return ({ id, labels }) => ({
      endpoint: id,
      ...Object.fromEntries(values.map(([name, value]) => [metricLabel(name), value(labels)])),
    });
  }

  #register(
    Metric: typeof Gauge<string> | typeof Counter<string>,
    metric: {
      name: string;
      help: string;
      labelNames: string[];
      read: (snapshot: Snapshot) => Sample[];
    },
  ): void {
    const { name, help, labelNames, read } = metric;
    const snapshot = () => this.#snapshot!;
    new Metric({
      name: `freehold_${name}`,
      help,
      labelNames,
      registers: [this.#registry],
      async collect() {
        const samples = read(await snapshot());
        this.reset();
        for (const [labels, value] of samples) this.inc(labels, value);
      },
    });
  }
}

function largestEndpoints(endpoints: EndpointCounts[]): EndpointCounts[] {
  const busyness = ({ queued, running, completed }: EndpointCounts) =>
    (queued + running) * 1e9 + completed;
  return largest(endpoints, MAX_ENDPOINTS, busyness, mergeEndpoints);
}

function mergeEndpoints(endpoints: EndpointCounts[]): EndpointCounts {
  const sum = (name: "queued" | "running" | "completed" | "failed") =>
    endpoints.reduce((total, endpoint) => total + endpoint[name], 0);
  return {
    id: "other",
    labels: noLabels,
    queued: sum("queued"),
    running: sum("running"),
    completed: sum("completed"),
    failed: sum("failed"),
    oldestAt: endpoints.reduce<number | null>((oldest, { oldestAt }) => {
      return oldestAt === null ? oldest : Math.min(oldest ?? oldestAt, oldestAt);
    }, null),
  };
}

function secondsSince(at: number | null, now: number): number {
  return at === null ? 0 : Math.max(0, now - at) / 1_000;
}

function stateSample({ desired, observed, n }: InstallationCounts["pods"][number]): Sample {
  return [{ desired, observed }, Number(n)];
}
