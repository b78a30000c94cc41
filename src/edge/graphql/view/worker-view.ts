// The GraphQL view of a worker: a Pod of its endpoint.

import type { Catalog } from "../../../domain/catalog/catalog.ts";
import { workerPhase } from "../../../domain/worker/phase.ts";
import type { EndpointView, WorkerView } from "../../../flows/endpoint/read.ts";
import type { PodRuntime } from "../../../flows/pod/runtime.ts";
import { workerAsPod, workerPart } from "../../management/endpoint/worker-as-pod.ts";
import { labelList } from "../schema/input.ts";
import { graphqlCpuFlavor } from "./catalog-view.ts";
import { graphqlPodMachine } from "./pod-machine.ts";
import { gpusRead, withWholePercents } from "./pod-view.ts";
import { telemetryOf } from "./telemetry.ts";

export function graphqlWorker(
  catalog: Catalog,
  worker: WorkerView,
  view: EndpointView,
  { now, runtime }: { now: number; runtime: PodRuntime | null },
) {
  const {
    gpu: _,
    runtime: __,
    machine: ___,
    ...rest
  } = workerAsPod(catalog, worker, view, { now });
  const { id, gpus } = worker.worker;
  const part = workerPart(catalog, worker, view.endpoint.spec);
  const flavor = catalog.cpuFlavors.find((each) => each.id === part.cpuFlavorId);
  const { startedAt, createdAt } = worker.worker;
  const [state, changedAt] = [workerPhase(worker.worker), startedAt ?? createdAt];
  return {
    ...rest,
    labels: labelList(view.endpoint.labels),
    env: Object.entries(rest.env).map(([name, value]) => `${name}=${value}`),
    ports: rest.ports.join(","),
    vcpuCount: rest.vcpuCount ?? 0,
    memoryInGb: rest.memoryInGb ?? 0,
    podType: "RESERVED" as const,
    simulated: rest.simulated ?? false,
    gpus: gpusRead(id, gpus),
    gpuPowerLimitPercent: 100,
    uptimeSeconds: runtime?.uptimeInSeconds ?? 0,
    machine: graphqlPodMachine(catalog, id, part, worker.machine),
    runtime: runtime && withWholePercents(runtime),
    latestTelemetry: telemetryOf(runtime, { state, changedAt }, now),
    cpuFlavor: flavor ? graphqlCpuFlavor(flavor) : null,
  };
}

export type GraphqlWorker = ReturnType<typeof graphqlWorker>;
