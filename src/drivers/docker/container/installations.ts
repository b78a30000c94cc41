// The installations on an engine: what each has there, and its removal.

import type Dockerode from "dockerode";
import type { InstallationUse, SharedEngine } from "../../shared-engine.ts";
import { type Engine, unlessMissing } from "../engine.ts";
import { listNetworks } from "../podman/engine-networks.ts";
import { LABEL } from "./container-spec.ts";

/** The engine as one installation shares it with others. */
export function sharedEngine(engine: Engine, own: string): SharedEngine {
  return {
    others: async () =>
      (await installationsOn(engine)).filter(({ installation }) => installation !== own),
    async remove(installation, withVolumes) {
      if (installation === own) throw new Error("an installation does not remove itself");
      const filters = { label: [`${LABEL.installation}=${installation}`] };
      await removeLabeled(engine, filters, withVolumes);
    },
  };
}

/** All installations, ordered by id. Rejects with DriverUnavailable if the engine does not answer. */
export async function installationsOn(engine: Engine): Promise<InstallationUse[]> {
  const { containers, networks, volumes } = await labeled(engine, { label: [LABEL.installation] });
  const uses = new Map<string, InstallationUse>();
  const useOf = ({ Labels }: { Labels?: Record<string, string> | null }) => {
    const installation = Labels?.[LABEL.installation] ?? "";
    const use = uses.get(installation) ?? { installation, ...NOTHING };
    use.dataFolder ??= Labels?.[LABEL.dataFolder] ?? null;
    uses.set(installation, use);
    return use;
  };
  for (const container of containers) {
    const use = useOf(container);
    use.containers++;
    if (container.State === "running") use.running++;
  }
  for (const { labels } of networks) useOf({ Labels: labels }).networks++;
  for (const volume of volumes) useOf(volume).volumes++;
  return [...uses.values()].sort((a, b) => (a.installation < b.installation ? -1 : 1));
}

const NOTHING = { containers: 0, running: 0, networks: 0, volumes: 0, dataFolder: null };

/** Containers first, because they use the rest. Rejects with DriverUnavailable if the engine does not answer. */
export async function removeLabeled(
  engine: Engine,
  filters: { label: string[] },
  withVolumes: boolean,
): Promise<void> {
  const { containers, networks, volumes } = await labeled(engine, filters);
  const remove = (request: (docker: Dockerode) => Promise<unknown>) =>
    engine.callWhileAlive((docker) => unlessMissing(request(docker)));
  for (const { Id } of containers) {
    await remove((docker) => docker.getContainer(Id).remove({ force: true, v: true }));
  }
  for (const { Name } of withVolumes ? volumes : []) {
    await remove((docker) => docker.getVolume(Name).remove());
  }
  for (const { id } of networks) await remove((docker) => docker.getNetwork(id).remove());
}

async function labeled(engine: Engine, filters: { label: string[] }) {
  const containers = await engine.callWithin((docker) =>
    docker.listContainers({ all: true, filters }),
  );
  const networks = await listNetworks(engine, filters);
  const { Volumes } = await engine.callWithin((docker) => docker.listVolumes({ filters }));
  return { containers, networks, volumes: Volumes ?? [] };
}
