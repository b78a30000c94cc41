// Image names as engines take them: completion, validation and the registry's address. Pure.

import { DOCKER_HUB, registryOf } from "../../../domain/image/image-registry.ts";

/** Adds the tag `latest` to a name without tag or digest, for which an engine would pull every tag. */
export function fullImageName(name: string): string {
  const last = name.slice(name.lastIndexOf("/") + 1);
  return last.includes(":") || last.includes("@") ? name : `${name}:latest`;
}

/** Rejects text that could be read as more than a name; the engine validates the rest. */
export function isImageName(name: string): boolean {
  return /^[a-zA-Z0-9][\w.:/@-]*$/.test(name);
}

/** Engines know Docker Hub by this address. */
const HUB_ADDRESS = "https://index.docker.io/v1/";

/** How engines name a registry when they receive credentials for it. */
export function serverAddressOf(image: string): string {
  const registry = registryOf(image);
  return registry === DOCKER_HUB ? HUB_ADDRESS : registry;
}
