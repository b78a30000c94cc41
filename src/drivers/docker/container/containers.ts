// The containers of this installation and machine on an engine, found by their labels and by their unique names.

import type { ContainerInspectInfo } from "dockerode";
import { type Clock, pause } from "../../../base/clock.ts";
import type { Observation } from "../../driver.ts";
import { isWorkloadId } from "../../workload-id.ts";
import { type Engine, statusOf, unlessMissing } from "../engine.ts";
import { type ContainerOwner, containerName, LABEL, ownerFilter } from "./container-spec.ts";
import { isRunning, mayBeOutOfMemory, neverRan, observationOf } from "./observation.ts";

const SETTLE_MS = 300;

/** In the name of a container that could not be removed, between its workload's name and its own id. */
const SET_ASIDE = ".unremoved.";

export class Containers {
  readonly #engine: Engine;
  readonly #owner: ContainerOwner;
  readonly #clock: Clock;
  /** Observations by workload, valid while the container's id and state do not change. */
  #cache = new Map<string, { key: string; observation: Observation }>();

  constructor(engine: Engine, owner: ContainerOwner, clock: Clock) {
    this.#engine = engine;
    this.#owner = owner;
    this.#clock = clock;
  }

  nameOf(id: string): string {
    return containerName(this.#owner, id);
  }

  all() {
    const filters = ownerFilter(this.#owner);
    return this.#engine.callWithin((docker) => docker.listContainers({ all: true, filters }));
  }

  async list(): Promise<Observation[]> {
    const all = await this.all();
    const inspections = all.map(async ({ Id, Names, State, Labels }) => {
      const id = Labels[LABEL.workload] ?? "";
      if (!isWorkloadId(id) || State === "created" || Names.some(isSetAside)) return [];
      const key = `${Id} ${State}`;
      const cached = this.#cache.get(id);
      if (cached?.key === key) return [{ id, key, observation: cached.observation }];
      const container = await this.#inspectSettled(Id);
      if (!container || neverRan(container.State)) return [];
      return [{ id, key, observation: observationOf(id, container) }];
    });
    const entries = (await Promise.all(inspections)).flat();
    this.#cache = new Map(entries.map(({ id, ...entry }) => [id, entry]));
    return entries.map(({ observation }) => structuredClone(observation));
  }

  /** The workload's container. Throws if another installation's container has its name. */
  async find(id: string): Promise<ContainerInspectInfo | null> {
    const container = await this.#inspect(this.nameOf(id));
    const labels = container?.Config.Labels ?? {};
    const { installation, machine } = this.#owner;
    const isOwn = labels[LABEL.installation] === installation && labels[LABEL.machine] === machine;
    if (!container || isOwn) return container;
    throw new Error(
      `the container name ${container.Name} is used by a container of another installation`,
    );
  }

  /** The container of a workload that has ended; rejects if it runs. */
  async findEnded(id: string): Promise<ContainerInspectInfo | null> {
    const container = await this.find(id);
    if (!container || !isRunning(container.State.Status)) return container;
    throw new Error(`Workload ${id} is running: stop it before you remove it.`);
  }

  /** Removes a container, or at least frees its name: an engine may be unable to remove what it cannot unmount. */
  async discard(container: string): Promise<void> {
    try {
      await this.#remove(container);
    } catch (error) {
      if (statusOf(error) === null || !(await this.#setAside(container))) throw error;
    }
  }

  /** Removes containers that were never started, unless their workload is starting, and those that were set aside. */
  async removeLeftovers(isStarting: (id: string) => boolean): Promise<void> {
    for (const { Id, Names, State, Labels } of await this.all()) {
      const isLeftover = State === "created" && !isStarting(Labels[LABEL.workload] ?? "");
      if (isLeftover || Names.some(isSetAside)) await this.#remove(Id).catch(() => {});
    }
  }

  async #remove(container: string): Promise<void> {
    await this.#engine.callWhileAlive((docker) =>
      unlessMissing(docker.getContainer(container).remove({ force: true, v: true })),
    );
  }

  /** False if its name is still in use. */
  async #setAside(container: string): Promise<boolean> {
    const info = await this.#inspect(container);
    if (!info || isSetAside(info.Name)) return true;
    if (isRunning(info.State.Status)) return false;
    const name = `${info.Name.slice(1)}${SET_ASIDE}${info.Id.slice(0, 12)}`;
    return this.#engine
      .callWithin((docker) => docker.getContainer(info.Id).rename({ name }))
      .then(
        () => true,
        () => false,
      );
  }

  /** The engine may report the end before the reason, if that was the memory limit. */
  async #inspectSettled(id: string) {
    const container = await this.#inspect(id);
    if (!container || !mayBeOutOfMemory(container, this.#clock.now())) return container;
    await pause(this.#clock, SETTLE_MS);
    return this.#inspect(id);
  }

  #inspect(container: string) {
    return this.#engine.callWithin((docker) =>
      unlessMissing(docker.getContainer(container).inspect()),
    );
  }
}

const isSetAside = (name: string) => name.includes(SET_ASIDE);
