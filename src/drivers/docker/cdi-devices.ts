// The CDI names of a workload's GPUs, which count only where the engine itself reports them.

import type { Workload } from "../driver.ts";
import { type ContainerContext, containerSpec } from "./container/container-spec.ts";
import type { Engine } from "./engine.ts";

type Info = Pick<Engine, "callWithin">;

/** The container options of a workload on an engine. */
export const specOn = async (engine: Info, workload: Workload, context: ContainerContext) =>
  containerSpec(await withReportedCdi(engine, workload), context);

/** A workload whose GPUs keep their CDI names only if the engine reports each of them; others get device nodes. */
async function withReportedCdi(engine: Info, workload: Workload): Promise<Workload> {
  const { gpuNodes = [] } = workload.resources ?? {};
  const names = gpuNodes.flatMap(({ cdi }) => cdi ?? []);
  if (names.length === 0) return workload;
  const reported = cdiNamesIn(await engine.callWithin((docker) => docker.info()));
  if (names.length === gpuNodes.length && names.every((name) => reported.has(name))) {
    return workload;
  }
  const plainNodes = gpuNodes.map(({ cdi: _, ...node }) => node);
  return { ...workload, resources: { ...workload.resources, gpuNodes: plainNodes } };
}

/** Docker reports them since 28.2; an engine with CDI turned off reports none. */
function cdiNamesIn(info: unknown): ReadonlySet<string> {
  const { DiscoveredDevices } = info as {
    DiscoveredDevices?: { Source?: string; ID?: string }[] | null;
  };
  const ofCdi = (DiscoveredDevices ?? []).filter(({ Source }) => Source === "cdi");
  return new Set(ofCdi.flatMap(({ ID }) => ID ?? []));
}
