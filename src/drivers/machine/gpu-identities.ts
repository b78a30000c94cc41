// What stays of earlier readings of a machine's GPUs. The readers of all makers share it, so that no two GPUs get one number.

import { type GpuLinks, withActiveLinks, withoutLinks } from "../../domain/gpu/nvlink/nvlinks.ts";
import { addressGpus, type GpuAddresses } from "../../domain/machine/gpu-addresses.ts";
import { type GpuNodes, nodesOfGpus } from "../../domain/machine/gpu-nodes.ts";
import { type GpuNumbers, numberGpus } from "../../domain/machine/gpu-numbers.ts";

export interface Identities {
  gpuLinks: GpuLinks;
  gpuNumbers: GpuNumbers;
  gpuAddresses: GpuAddresses;
  gpuNodes: GpuNodes;
}

export class GpuIdentities {
  #all: Identities = { gpuNumbers: {}, gpuAddresses: {}, gpuNodes: {}, gpuLinks: {} };

  all(): Identities {
    return this.#all;
  }

  restore({ gpuNumbers, gpuAddresses, gpuNodes, gpuLinks }: Identities): void {
    this.#all = { gpuNumbers, gpuAddresses, gpuNodes, gpuLinks };
  }

  /** Returns the numbers of all GPUs. */
  number(listed: ReadonlyMap<string, number>): GpuNumbers {
    const gpuNumbers = numberGpus(this.#all.gpuNumbers, listed);
    this.#all = { ...this.#all, gpuNumbers };
    return gpuNumbers;
  }

  address(read: Parameters<typeof addressGpus>[1]): void {
    this.#all = { ...this.#all, gpuAddresses: addressGpus(this.#all.gpuAddresses, read) };
  }

  /** Returns the links that were up, of all GPUs. */
  addLinks(read: Parameters<typeof withActiveLinks>[1]): GpuLinks {
    const gpuLinks = withActiveLinks(this.#all.gpuLinks, read);
    this.#all = { ...this.#all, gpuLinks };
    return gpuLinks;
  }

  forgetLinks(uuids: readonly string[]): void {
    this.#all = { ...this.#all, gpuLinks: withoutLinks(this.#all.gpuLinks, uuids) };
  }

  addNodes(read: GpuNodes): void {
    this.#all = { ...this.#all, gpuNodes: nodesOfGpus(this.#all.gpuNodes, read) };
  }
}
