// The CDI names of a workload's GPUs. They are numbers, and count only where the engine itself reports them and the files of its
// machine still give them to these GPUs: the files may be written again between two readings of the GPUs.

import type { GpuNode } from "../../domain/machine/gpu-nodes.ts";
import type { Workload } from "../driver.ts";
import { type ContainerContext, containerSpec } from "./container/container-spec.ts";
import type { Engine } from "./engine.ts";

type Info = Pick<Engine, "callWithin">;

export interface CdiOptions {
  /** Reads the CDI names of the engine's machine by the render nodes that they give; if absent, no GPU is given by its name. */
  readCdiNames?: () => Promise<ReadonlyMap<string, string>>;
}

/** The container options of a workload on an engine. */
export const specOn = async (
  engine: Info,
  workload: Workload,
  context: ContainerContext & CdiOptions,
) => containerSpec(await withCertainCdi(engine, workload, context), context);

/** A workload whose GPUs keep their CDI names only if each of them is certain; others get device nodes. */
async function withCertainCdi(
  engine: Info,
  workload: Workload,
  { readCdiNames = async () => new Map() }: CdiOptions,
): Promise<Workload> {
  const { gpuNodes = [] } = workload.resources ?? {};
  const names = gpuNodes.flatMap(({ cdi }) => cdi ?? []);
  if (names.length === 0) return workload;
  const [info, present] = await Promise.all([
    engine.callWithin((docker) => docker.info()),
    readCdiNames(),
  ]);
  const reported = cdiNamesIn(info);
  const isCertain = ({ render, cdi }: GpuNode) =>
    cdi !== undefined && reported.has(cdi) && present.get(render) === cdi;
  if (gpuNodes.every(isCertain)) return workload;
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
