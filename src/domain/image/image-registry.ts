// The registry that an image's name refers to. Pure.

export const DOCKER_HUB = "docker.io";

const HUB_NAMES = new Set([DOCKER_HUB, "index.docker.io", "registry-1.docker.io"]);

/** `ghcr.io`, `127.0.0.1:5000` or `docker.io`, in lower case; an engine reads names by the same rule. */
export function registryOf(image: string): string {
  const [first = "", ...rest] = image.split("/");
  return rest.length > 0 && namesRegistry(first) ? registryName(first) : DOCKER_HUB;
}

/** Whether the first part of a name with several is a registry's host. */
export const namesRegistry = (first: string): boolean =>
  /[.:A-Z]/.test(first) || first === "localhost";

/** A registry's host, and its port if it has one, in the form in which hosts are compared. */
export function registryName(host: string): string {
  const name = host.toLowerCase();
  return HUB_NAMES.has(name) ? DOCKER_HUB : name;
}
