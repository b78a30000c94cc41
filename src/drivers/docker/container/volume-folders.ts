// The folders of an engine's volumes, for an engine on this machine.

import { chmod } from "node:fs/promises";
import type { VolumeName } from "../../driver.ts";
import { LocalVolumeFiles } from "../../volume/local-volume-files.ts";
import { volumePlace } from "../../volume/volume-place.ts";
import type { VolumeFiles } from "../../volume-files.ts";
import { type Engine, unlessMissing } from "../engine.ts";
import { type ContainerOwner, volumeLabels, volumeName } from "./container-spec.ts";

export class VolumeFolders {
  readonly #engine: Engine;
  readonly #owner: ContainerOwner;
  /** Volumes by the engine's name. Volumes that were found once are not inspected again. */
  readonly #files = new Map<string, { root: string; files: VolumeFiles }>();

  constructor(engine: Engine, owner: ContainerOwner) {
    this.#engine = engine;
    this.#owner = owner;
  }

  /** Null if it is missing, or if its folder cannot be reached from this process. */
  async files(volume: VolumeName, create: boolean): Promise<VolumeFiles | null> {
    if (!this.#engine.host.startsWith("unix:")) return null;
    const name = volumeName(this.#owner, volume);
    const known = this.#files.get(name);
    if (known && (await volumePlace(known.root))) return known.files;
    const root = (await this.#find(name)) ?? (create ? await this.#create(name, volume) : null);
    const place = root === null ? null : await volumePlace(root);
    if (!place) return null;
    const files = new LocalVolumeFiles(place);
    this.#files.set(name, { root: place.root, files });
    return files;
  }

  forget(volume: VolumeName): void {
    this.#files.delete(volumeName(this.#owner, volume));
  }

  async #find(name: string): Promise<string | null> {
    const found = await this.#engine.callWithin((docker) =>
      unlessMissing(docker.getVolume(name).inspect()),
    );
    return found?.Mountpoint ?? null;
  }

  /** The folder as a container's start would create it, writable for the user of any image. */
  async #create(name: string, volume: VolumeName): Promise<string | null> {
    await this.#engine.callWithin((docker) =>
      docker.createVolume({
        Name: name,
        Driver: "local",
        Labels: volumeLabels(this.#owner, volume),
      }),
    );
    const root = await this.#find(name);
    // Where this process cannot reach the folder, the start of a container opens it.
    if (root !== null) await chmod(root, 0o777).catch(() => {});
    return root;
  }
}
