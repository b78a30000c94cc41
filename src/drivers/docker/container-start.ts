// The start of a workload's container: created with its limits, joined to its networks, given its files. What the engine
// refused once, such as a limit on the disk, is left out of later starts until the engine connects again.

import { type DiskQuota, type NetworkMembership, StartRefused, type Workload } from "../driver.ts";
import { redactorOf } from "../redaction.ts";
import { type CdiOptions, specOn } from "./cdi-devices.ts";
import type { ContainerOwner } from "./container/container-spec.ts";
import type { Containers } from "./container/containers.ts";
import { cpuCountIn } from "./container/cpu-limit.ts";
import { createChecked } from "./container/create.ts";
import { putFiles } from "./container/files.ts";
import type { OwnContainer } from "./container/own-container.ts";
import { canLimitDisk, isDiskLimitRefused } from "./container/quota.ts";
import { openNewVolumes } from "./container/volume-permissions.ts";
import { type Engine, messageOf, statusOf } from "./engine.ts";
import { startError } from "./engine-error.ts";
import type { Networks } from "./network/networks.ts";

interface StartDeps {
  engine: Engine;
  containers: Containers;
  networks: Networks;
  owner: ContainerOwner;
  /** The address of the engine's machine that published ports are bound to. */
  publishOn: string;
  readCdiNames: CdiOptions["readCdiNames"];
  /** Null if this process runs in no container of the engine. */
  ownContainer: () => Promise<OwnContainer | null>;
}

export class ContainerStarter {
  readonly #deps: StartDeps;
  /** Whether the engine can limit a container's disk; null until it is tested, and after it connected again. */
  #canLimitDisk: boolean | null = null;
  /** Learned from the engine's refusal of a larger limit, as a machine may be declared larger than it is. */
  #cpuCount: number | null = null;

  constructor(deps: StartDeps) {
    this.#deps = deps;
  }

  /** The engine may have restarted, on a larger machine or with another storage. */
  forgetLimits(): void {
    this.#cpuCount = null;
    this.#canLimitDisk = null;
  }

  async quota(): Promise<DiskQuota | null> {
    this.#canLimitDisk ??= await canLimitDisk(this.#deps.engine, this.#deps.owner);
    if (this.#canLimitDisk === null) return null;
    return this.#canLimitDisk ? "enforced" : "measured";
  }

  /** Resolves to the id of the container. Leaves none if it cannot start. */
  async start(workload: Workload, image: string): Promise<string> {
    const { engine, containers, networks } = this.#deps;
    const network = await networks.ensure(workload.account ?? "");
    const container = await this.#create(workload, image, network);
    if (workload.network) await this.#join(container, workload.network);
    try {
      const mountPaths = (workload.volumes ?? []).map(({ mountPath }) => mountPath);
      await openNewVolumes(engine, container, mountPaths);
      if (workload.files) await putFiles(engine, container, workload.files);
      await engine.callWhileAlive((docker) => docker.getContainer(container).start());
    } catch (error) {
      await containers.discard(container).catch(() => {});
      if (statusOf(error) === null) throw error;
      if (workload.network?.fabric !== undefined && isNotAttached(error)) {
        throw new Error(`cannot join the network of its cluster yet: ${messageOf(error)}`);
      }
      throw startErrorOf(workload, image, error);
    }
    return container;
  }

  async #create(workload: Workload, image: string, network: string): Promise<string> {
    const { engine, containers } = this.#deps;
    const limitDisk = this.#canLimitDisk ?? true;
    const limits = { canLimitDisk: limitDisk, cpuCount: this.#cpuCount };
    const context = { ...this.#deps, image, network, ...limits };
    const options = {
      name: containers.nameOf(workload.id),
      ...(await specOn(engine, await this.#withMachinePaths(workload), context)),
    };
    try {
      return await createChecked(engine, options);
    } catch (error) {
      // Several starts may find this out at the same time.
      if (limitDisk && isDiskLimitRefused(error)) {
        this.#canLimitDisk = false;
        return this.#create(workload, image, network);
      }
      const cpuCount = cpuCountIn(error);
      if (cpuCount !== null && this.#cpuCount !== cpuCount) {
        this.#cpuCount = cpuCount;
        return this.#create(workload, image, network);
      }
      if (statusOf(error) === null) throw error;
      throw startErrorOf(workload, image, error);
    }
  }

  /** The engine mounts folders of its machine. */
  async #withMachinePaths(workload: Workload): Promise<Workload> {
    const own = workload.folders ? await this.#deps.ownContainer() : null;
    if (!own) return workload;
    const folders = workload.folders!.map(({ folder, mountPath }) => {
      const path = own.machinePathOf(folder);
      if (path !== null) return { folder: path, mountPath };
      throw new StartRefused(`${folder} is on no volume of Freehold's container; mount one there`);
    });
    return { ...workload, folders };
  }

  /** Whatever fails here may succeed later, so that the start is tried again. */
  async #join(container: string, network: NetworkMembership): Promise<void> {
    const { networks, containers } = this.#deps;
    try {
      await networks.join(container, network);
    } catch (error) {
      await containers.discard(container).catch(() => {});
      if (statusOf(error) === null) throw error;
      throw new Error(`cannot join the network of its cluster: ${messageOf(error)}`);
    }
  }
}

/** Another engine may not have created the network yet, or may not answer; the start is tried again. */
const isNotAttached = (error: unknown) =>
  /network .*not found|attach\w* to network|swarm/i.test(messageOf(error));

function startErrorOf({ secrets = [] }: Workload, image: string, error: unknown) {
  return startError(image, messageOf(error), redactorOf(secrets), statusOf(error));
}
