// The GraphQL view of a Pod: the REST view in the forms that GraphQL clients expect. Several clients fail
// on a number that is not whole.

import { pod as podSchema } from "../../../contract/rest-v1/pod/pod.ts";
import type { Catalog } from "../../../domain/catalog/catalog.ts";
import { writeDockerArgs } from "../../../domain/container/docker-args.ts";
import { lowestBid } from "../../../domain/pod/compute.ts";
import type { Pod } from "../../../domain/pod/pod.ts";
import type { PodView } from "../../../flows/pod/read.ts";
import type { PodRuntime } from "../../../flows/pod/runtime.ts";
import { dollars } from "../../management/billing/dollars.ts";
import { rentedPartOf } from "../../management/pod/machine-view.ts";
import { podRead } from "../../management/pod/pod-view.ts";
import { labelList } from "../schema/input.ts";
import { graphqlCpuFlavor } from "./catalog-view.ts";
import { graphqlPodMachine } from "./pod-machine.ts";
import { graphqlSavingsPlan } from "./savings-plan-view.ts";
import { telemetryOf } from "./telemetry.ts";

/** Lists are long and documents select few fields of each Pod, so a field is computed when it is read. */
export class GraphqlPod {
  readonly #catalog: Catalog;
  readonly #view: PodView;
  readonly #now: number;
  readonly runtime: PodRuntime | null;
  readonly id: string;
  readonly name: string;
  readonly desiredStatus: string;
  readonly gpuPowerLimitPercent = 100;
  declare readonly networkVolumeId?: string;
  #restView: ReturnType<typeof podRead> | null = null;

  constructor(catalog: Catalog, view: PodView, runtime: PodRuntime | null, now: number) {
    this.#catalog = catalog;
    this.#now = now;
    this.#view = view;
    this.runtime = runtime && withWholePercents(runtime);
    this.id = view.pod.id;
    this.name = view.pod.name;
    this.desiredStatus = view.pod.desired.state;
  }

  get restView(): ReturnType<typeof podRead> {
    this.#restView ??= podRead(this.#catalog, this.#view);
    return this.#restView;
  }

  get env(): string[] {
    return Object.entries(this.#view.pod.desired.spec.env).map(
      ([name, value]) => `${name}=${value}`,
    );
  }

  get ports(): string {
    return this.#view.pod.desired.spec.ports.join(",");
  }

  get labels(): { key: string; value: string }[] {
    return labelList(this.#view.pod.labels);
  }

  get dockerArgs(): string {
    return writeDockerArgs(this.#view.pod.desired.spec);
  }

  get podType(): "INTERRUPTABLE" | "RESERVED" {
    return this.#view.pod.desired.spec.interruptible ? "INTERRUPTABLE" : "RESERVED";
  }

  get lowestBidPriceToResume(): number | null {
    const { pod } = this.#view;
    return pod.desired.spec.interruptible ? dollars(bidToResume(this.#catalog, pod)) : null;
  }

  get gpus(): { id: string; podId: string }[] {
    const { id, desired, placement } = this.#view.pod;
    if (desired.state !== "RUNNING") return [];
    return gpusRead(id, placement.gpus);
  }

  get uptimeSeconds(): number {
    return this.runtime?.uptimeInSeconds ?? 0;
  }

  get machine() {
    const { pod, machine } = this.#view;
    return graphqlPodMachine(this.#catalog, pod.id, rentedPartOf(this.#view), machine);
  }

  get latestTelemetry() {
    const { desired, observed } = this.#view.pod;
    const state = { state: observed.state, changedAt: observed.startedAt ?? desired.changedAt };
    return telemetryOf(this.runtime, state, this.#now);
  }

  get version(): number {
    return this.#view.pod.desired.generation;
  }

  /** Older clients know one port; it is the first HTTP port. */
  get port(): string | null {
    const first = this.#view.pod.desired.spec.ports.find((each) => each.endsWith("/http"));
    return first?.split("/")[0] ?? null;
  }

  get cpuFlavor() {
    const { cpuFlavorId } = this.#view.pod.placement;
    const flavor = this.#catalog.cpuFlavors.find(({ id }) => id === cpuFlavorId);
    return flavor ? graphqlCpuFlavor(flavor) : null;
  }

  get ipAddress(): { id: string; address: string; pod: GraphqlPod } | null {
    const { publicIp } = this.restView;
    return publicIp === null ? null : { id: publicIp, address: publicIp, pod: this };
  }

  get simulated(): boolean {
    return this.#view.pod.placement.driver === "simulated";
  }

  get clusterId(): string | null {
    return this.#view.pod.cluster?.id ?? null;
  }

  get clusterIdx(): number | null {
    return this.#view.pod.cluster?.rank ?? null;
  }

  get clusterIp(): string | null {
    return this.#view.pod.cluster?.address ?? null;
  }

  get clusterCidr(): string | null {
    return this.#view.pod.cluster?.cidr ?? null;
  }

  get savingsPlans() {
    return this.#view.plans.map(graphqlSavingsPlan);
  }
}

export function gpusRead(podId: string, gpus: readonly number[]) {
  return gpus.map((gpu) => ({ id: `${podId}-${gpu}`, podId }));
}

/** Every other field is the REST view's. */
for (const name of Object.keys(podSchema.properties)) {
  if (name in GraphqlPod.prototype || ["id", "name", "desiredStatus", "gpu"].includes(name))
    continue;
  Object.defineProperty(GraphqlPod.prototype, name, {
    get(this: GraphqlPod) {
      return this.restView[name as keyof typeof this.restView];
    },
  });
}

/** The schema has whole percents only. */
export function withWholePercents({ gpus, container, ...rest }: PodRuntime): PodRuntime {
  const { cpuPercent, memoryPercent } = container;
  return {
    ...rest,
    gpus: gpus.map(({ id, gpuUtilPercent, memoryUtilPercent }) => {
      return {
        id,
        gpuUtilPercent: Math.round(gpuUtilPercent),
        memoryUtilPercent: Math.round(memoryUtilPercent),
      };
    }),
    container: { cpuPercent: Math.round(cpuPercent), memoryPercent: Math.round(memoryPercent) },
  };
}

/** A stopped Pod resumes on the machine of its volume, on GPUs of the same type. */
function bidToResume(
  catalog: Catalog,
  { desired: { spec }, placement: { gpuTypeId } }: Pod,
): number {
  return lowestBid(catalog, gpuTypeId === null ? spec : { ...spec, gpuTypeIds: [gpuTypeId] });
}
