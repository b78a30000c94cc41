// The volumes of the simulated driver: real folders, which clients can fill over S3, and which shells in
// simulated Pods read and write.

import { chmodSync, mkdirSync } from "node:fs";
import { rm } from "node:fs/promises";
import path from "node:path";
import type { VolumeName } from "../driver.ts";
import { LocalVolumeFiles } from "../volume/local-volume-files.ts";
import { volumePlace } from "../volume/volume-place.ts";
import type { VolumeFiles } from "../volume-files.ts";
import { requireWorkloadId } from "../workload-id.ts";

export class SimulatedVolumes {
  readonly #folder: string;
  readonly #files = new Map<string, VolumeFiles>();

  constructor(folder: string) {
    this.#folder = folder;
  }

  /**
   * The folder of its files, which is created if it is missing. It returns no promise, so that a volume that is
   * removed meanwhile does not get its folder again.
   */
  folder(volume: VolumeName): string {
    const root = path.join(this.#folderOf(volume), "data");
    if (mkdirSync(root, { recursive: true }) !== undefined) chmodSync(root, 0o777);
    return root;
  }

  async files(volume: VolumeName, create: boolean): Promise<VolumeFiles | null> {
    if (create) this.folder(volume);
    const root = path.join(this.#folderOf(volume), "data");
    const place = await volumePlace(root);
    if (!place) return null;
    const files = this.#files.get(root) ?? new LocalVolumeFiles(place);
    this.#files.set(root, files);
    return files;
  }

  async remove(volume: VolumeName): Promise<void> {
    const folder = this.#folderOf(volume);
    this.#files.delete(path.join(folder, "data"));
    await rm(folder, { recursive: true, force: true });
  }

  #folderOf({ kind, name }: VolumeName): string {
    requireWorkloadId(name);
    return path.join(this.#folder, `${kind}-${name}`);
  }
}
