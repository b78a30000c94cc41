// A Pod as GraphQL clients read it: the management interface's own view of it, in the other forms that
// they expect. Several of them stop at a machine that is null, or at a number that is not whole.

import { hashSecret } from "../../base/ids.ts";
import { pod as podSchema } from "../../contract/rest-v1/pod.ts";
import type { Catalog } from "../../domain/catalog/catalog.ts";
import { lowestBid } from "../../domain/pod/compute.ts";
import { writeDockerArgs } from "../../domain/pod/docker-args.ts";
import type { Pod as Kept } from "../../domain/pod/pod.ts";
import type { PodView } from "../../flows/pod/read.ts";
import type { PodRuntime } from "../../flows/pod/runtime.ts";
import { dollars } from "../rest-v1/dollars.ts";
import { podRead } from "../rest-v1/pod-read.ts";
import { graphqlPlan } from "./savings-plan-read.ts";

/** Lists are long and mostly little of each Pod is asked for: what takes work is done when it is. */
export class GraphqlPod {
  readonly #catalog: Catalog;
  readonly #view: PodView;
  readonly runtime: PodRuntime | null;
  readonly id: string;
  readonly name: string;
  readonly desiredStatus: string;
  readonly gpuPowerLimitPercent = 100;
  #shown: ReturnType<typeof podRead> | null = null;

  constructor(catalog: Catalog, view: PodView, runtime: PodRuntime | null) {
    this.#catalog = catalog;
    this.#view = view;
    this.runtime = runtime && inWholePercents(runtime);
    this.id = view.pod.id;
    this.name = view.pod.name;
    this.desiredStatus = view.pod.state;
  }

  /** As the management interface shows it. */
  get shown(): ReturnType<typeof podRead> {
    this.#shown ??= podRead(this.#catalog, this.#view, { includeMachine: true });
    return this.#shown;
  }

  get env(): string[] {
    return Object.entries(this.#view.pod.spec.env).map(([name, value]) => `${name}=${value}`);
  }

  get ports(): string {
    return this.#view.pod.spec.ports.join(",");
  }

  get dockerArgs(): string {
    return writeDockerArgs(this.#view.pod.spec);
  }

  get podType(): "INTERRUPTABLE" | "RESERVED" {
    return this.#view.pod.spec.interruptible ? "INTERRUPTABLE" : "RESERVED";
  }

  get lowestBidPriceToResume(): number | null {
    const { pod } = this.#view;
    return pod.spec.interruptible ? dollars(bidToResume(this.#catalog, pod)) : null;
  }

  get gpus(): { id: string; podId: string }[] {
    const { id, state, gpus } = this.#view.pod;
    return state === "RUNNING" ? gpus.map((gpu) => ({ id: `${id}-${gpu}`, podId: id })) : [];
  }

  get uptimeSeconds(): number {
    return this.runtime?.uptimeInSeconds ?? 0;
  }

  get machine() {
    return machineOf(this.#view, this.shown.machine ?? {});
  }

  get savingsPlans() {
    return this.#view.plans.map(graphqlPlan);
  }
}

/** Everything else is what the management interface shows. */
for (const name of Object.keys(podSchema.properties)) {
  if (name in GraphqlPod.prototype || ["id", "name", "desiredStatus", "gpu"].includes(name))
    continue;
  Object.defineProperty(GraphqlPod.prototype, name, {
    get(this: GraphqlPod) {
      return this.shown[name as keyof typeof this.shown];
    },
  });
}

/** This interface has no fractions of a percent. */
function inWholePercents({ gpus, container, ...same }: PodRuntime): PodRuntime {
  const { cpuPercent, memoryPercent } = container;
  return {
    ...same,
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

/** It goes back to where its volume is, on GPUs of the same type. */
function bidToResume(catalog: Catalog, { spec, gpuTypeId }: Kept): number {
  return lowestBid(catalog, gpuTypeId === null ? spec : { ...spec, gpuTypeIds: [gpuTypeId] });
}

const UNKNOWN = "unknown";

function machineOf(
  { pod, machine }: PodView,
  seen: NonNullable<ReturnType<typeof podRead>["machine"]>,
) {
  const inventory = machine?.inventory;
  return {
    ...seen,
    id: pod.machine,
    podHostId: `${pod.id}-${hashSecret(pod.machine).slice(0, 8)}`,
    gpuTypeId: seen.gpuTypeId ?? UNKNOWN,
    gpuDisplayName: seen.gpuDisplayName ?? UNKNOWN,
    location: seen.location ?? inventory?.countryCode ?? UNKNOWN,
    diskMBps: seen.diskThroughputMBps,
    currentPricePerGpu: pod.gpus.length > 0 ? (seen.costPerHr ?? 0) / pod.gpus.length : null,
    machineSystem: { cudaVersion: inventory?.cudaVersion ?? UNKNOWN, kernelVersion: UNKNOWN },
    ...(inventory && {
      vcpuTotal: inventory.vcpus,
      memoryTotal: Math.floor(inventory.memoryMb / 1_024),
    }),
  };
}
