// The networks that an engine has. Podman is asked over its own interface: a read over the Docker-compatible one makes
// it forget that a network is isolated (4.3.1).

import type { NetworkInspectInfo } from "dockerode";
import { type Engine, unlessMissing } from "../engine.ts";
import { libpodGet } from "./libpod.ts";

export interface EngineNetwork {
  id: string;
  labels: Record<string, string>;
  /** The interface of the machine; null if it is not known. */
  bridge: string | null;
  /** The machine's address in it. */
  gateway: string | null;
}

export const BRIDGE_NAME = "com.docker.network.bridge.name";

export async function findNetwork(engine: Engine, name: string): Promise<EngineNetwork | null> {
  if ((await engine.kind()) === "podman") {
    const network = await unlessMissing(engine.callWithin(libpodGet(`/networks/${name}/json`)));
    return network === null ? null : ofPodman(network as PodmanNetwork);
  }
  const network = await engine.callWithin((docker) =>
    unlessMissing(docker.getNetwork(name).inspect()),
  );
  return network === null ? null : ofDocker(network);
}

export async function listNetworks(
  engine: Engine,
  filters: { label: string[] },
): Promise<EngineNetwork[]> {
  if ((await engine.kind()) === "podman") {
    const query = { filters: JSON.stringify(filters) };
    const all = (await engine.callWithin(libpodGet("/networks/json?", query))) as
      | PodmanNetwork[]
      | null;
    return (all ?? []).map(ofPodman);
  }
  return (await engine.callWithin((docker) => docker.listNetworks({ filters }))).map(ofDocker);
}

interface PodmanNetwork {
  name: string;
  network_interface?: string;
  labels?: Record<string, string> | null;
  subnets?: { gateway?: string }[] | null;
}

/** Its networks are named by their names everywhere. */
const ofPodman = ({ name, network_interface, labels, subnets }: PodmanNetwork): EngineNetwork => ({
  id: name,
  labels: labels ?? {},
  bridge: network_interface ?? null,
  gateway: subnets?.find((each) => each.gateway)?.gateway ?? null,
});

const ofDocker = ({ Id, Labels, Options, IPAM }: NetworkInspectInfo): EngineNetwork => ({
  id: Id,
  labels: Labels ?? {},
  bridge: Options?.[BRIDGE_NAME] ?? null,
  gateway: IPAM?.Config?.find((each) => each.Gateway)?.Gateway ?? null,
});
