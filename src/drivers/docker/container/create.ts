// Creates a container and compares what the engine holds with what it was asked, before the container starts.

import type { ContainerCreateOptions } from "dockerode";
import { StartRefused } from "../../driver.ts";
import { type Engine, unlessMissing } from "../engine.ts";
import { libpodPost } from "../podman/libpod.ts";
import { gpusOf, libpodSpec, mountedVolumes } from "../podman/libpod-spec.ts";
import { droppedFrom } from "./creation-check.ts";

/** Resolves to its id. Rejects with StartRefused, and leaves no container, if the engine dropped an option. */
export async function createChecked(
  engine: Engine,
  options: ContainerCreateOptions,
): Promise<string> {
  const byCdi = gpusOf(options).length > 0 && (await engine.kind()) === "podman";
  const id = byCdi ? await createByLibpod(engine, options) : await create(engine, options);
  const held = await engine.callWithin((docker) => docker.getContainer(id).inspect());
  const dropped = droppedFrom(byCdi ? withoutGpus(options) : options, held);
  if (dropped.length === 0) return id;
  await engine.callWhileAlive((docker) =>
    unlessMissing(docker.getContainer(id).remove({ force: true, v: true })),
  );
  throw new StartRefused(
    `this machine's container engine accepted the container and changed or dropped ${listed(dropped)}`,
  );
}

async function create(engine: Engine, options: ContainerCreateOptions): Promise<string> {
  const { id } = await engine.callWhileAlive((docker) => docker.createContainer(options));
  return id;
}

async function createByLibpod(engine: Engine, options: ContainerCreateOptions): Promise<string> {
  for (const volume of mountedVolumes(options)) {
    await engine.callWithin((docker) => docker.createVolume(volume));
  }
  const answer = await engine.callWhileAlive(libpodPost("/containers/create", libpodSpec(options)));
  return (answer as { Id: string }).Id;
}

/** Podman shows a device by CDI nowhere, and refuses the start where it has none of the name. */
function withoutGpus(options: ContainerCreateOptions): ContainerCreateOptions {
  return { ...options, HostConfig: { ...options.HostConfig, DeviceRequests: [] } };
}

const listed = (all: string[]) =>
  all.length < 2 ? all.join() : `${all.slice(0, -1).join(", ")} and ${all.at(-1)}`;
