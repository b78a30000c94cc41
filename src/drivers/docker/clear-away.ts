// Clears an engine of all that is ours there: for a machine that is one no more.

import { LABEL } from "./container.ts";
import { type Engine, unlessMissing } from "./engine.ts";

/** Containers first, which hold on to the rest. Rejects with DriverAway where it does not answer. */
export async function clearAway(engine: Engine, installation: string): Promise<void> {
  const filters = { label: [`${LABEL.installation}=${installation}`] };
  const containers = await engine.askSoon((docker) =>
    docker.listContainers({ all: true, filters }),
  );
  for (const { Id } of containers) {
    await engine.askSoon((docker) =>
      unlessMissing(docker.getContainer(Id).remove({ force: true, v: true })),
    );
  }
  const { Volumes: volumes } = await engine.askSoon((docker) => docker.listVolumes({ filters }));
  for (const { Name } of volumes ?? []) {
    await engine.askSoon((docker) => unlessMissing(docker.getVolume(Name).remove()));
  }
  const networks = await engine.askSoon((docker) => docker.listNetworks({ filters }));
  for (const { Id } of networks) {
    await engine.askSoon((docker) => unlessMissing(docker.getNetwork(Id).remove()));
  }
}
