// The containers that are ours on an engine, found by their labels and by the name that only one can
// have.

import type { ContainerInspectInfo } from "dockerode";
import type { Sighting } from "../driver.ts";
import { isWorkloadId } from "../workload-id.ts";
import { containerName, LABEL } from "./container.ts";
import { type Engine, unlessMissing } from "./engine.ts";
import { isRunning, neverRan, sightingOf } from "./sighting.ts";

export class Containers {
  readonly #engine: Engine;
  readonly #installation: string;
  /** Of containers that have not changed since: by workload. */
  #seen = new Map<string, { key: string; sighting: Sighting }>();

  constructor(engine: Engine, installation: string) {
    this.#engine = engine;
    this.#installation = installation;
  }

  nameOf(id: string): string {
    return containerName(this.#installation, id);
  }

  all() {
    const filters = { label: [`${LABEL.installation}=${this.#installation}`] };
    return this.#engine.askSoon((docker) => docker.listContainers({ all: true, filters }));
  }

  async list(): Promise<Sighting[]> {
    const all = await this.all();
    const looks = all.map(async ({ Id, State, Labels }) => {
      const id = Labels[LABEL.workload] ?? "";
      if (!isWorkloadId(id) || neverRan(State)) return [];
      const key = `${Id} ${State}`;
      const seen = this.#seen.get(id);
      if (seen?.key === key) return [{ id, key, sighting: seen.sighting }];
      const container = await this.#inspect(Id);
      if (!container || neverRan(container.State.Status)) return [];
      return [{ id, key, sighting: sightingOf(id, container) }];
    });
    const found = (await Promise.all(looks)).flat();
    this.#seen = new Map(found.map(({ id, ...seen }) => [id, seen]));
    return found.map(({ sighting }) => structuredClone(sighting));
  }

  /** The workload's container; a stranger that has its name is not touched, and in the way. */
  async find(id: string): Promise<ContainerInspectInfo | null> {
    const found = await this.#inspect(this.nameOf(id));
    const labels = found?.Config.Labels ?? {};
    if (!found || labels[LABEL.installation] === this.#installation) return found;
    throw new Error(`the container ${found.Name} is not ours, and stands in the way`);
  }

  /** The same of a workload that has ended; rejects where it runs. */
  async findEnded(id: string): Promise<ContainerInspectInfo | null> {
    const container = await this.find(id);
    if (!container || !isRunning(container.State.Status)) return container;
    throw new Error(`Workload ${id} still runs: stop it before it is removed.`);
  }

  async discard(container: string): Promise<void> {
    await this.#engine.ask((docker) =>
      unlessMissing(docker.getContainer(container).remove({ force: true, v: true })),
    );
  }

  #inspect(container: string) {
    return this.#engine.askSoon((docker) =>
      unlessMissing(docker.getContainer(container).inspect()),
    );
  }
}
