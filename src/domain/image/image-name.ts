// Which names of images a container engine accepts: [registry/]repository[:tag][@digest]. Pure.

import { DOCKER_HUB, namesRegistry, registryOf } from "./image-registry.ts";

const LABEL = "[a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?";
const HOST = new RegExp(`^(?:${LABEL}(?:\\.${LABEL})*|\\[[0-9a-fA-F:]+\\])(?::\\d+)?$`);
const COMPONENT = /^[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*$/;
const TAG = /^\w[\w.-]{0,127}$/;
const DIGEST = /^(?:sha256:[0-9a-f]{64}|sha384:[0-9a-f]{96}|sha512:[0-9a-f]{128})$/;
const MAX_PATH_CHARS = 255;
const SHOWN_CHARS = 80;

/**
 * A sentence if an engine would refuse the name of the field `imageName`. The stored name is accepted: a process or a
 * simulated workload may have any, from a time when names were not checked.
 */
export function imageNameErrors(name: string, stored?: string): string[] {
  const expected = name === stored ? null : expectedInstead(name);
  if (expected === null) return [];
  const shown = JSON.stringify(name.slice(0, SHOWN_CHARS));
  return [`"imageName" is ${shown}; ${expected}.`];
}

function expectedInstead(image: string): string | null {
  const [named = "", ...digests] = image.split("@");
  const colon = named.indexOf(":", named.lastIndexOf("/") + 1);
  const repository = colon === -1 ? named : named.slice(0, colon);
  if (!isRepository(repository)) {
    if (isRepository(repository.toLowerCase())) return "the repository's name is lower-case";
    return 'it takes an image name such as "ghcr.io/acme/worker:1.2"';
  }
  if (colon !== -1 && !TAG.test(named.slice(colon + 1))) {
    return "its tag takes up to 128 letters, digits and the characters _ . -";
  }
  if (digests.length > 1 || digests.some((digest) => !DIGEST.test(digest))) {
    return 'its digest takes "sha256:" and 64 hexadecimal digits';
  }
  if (pathOf(repository).length > MAX_PATH_CHARS) {
    return `its repository has up to ${MAX_PATH_CHARS} characters, without the registry`;
  }
  return null;
}

/** True for the name of a repository, with its registry if it names one. */
function isRepository(text: string): boolean {
  // Would be the id of an image, which no registry knows.
  if (/^[0-9a-f]{64}$/.test(text)) return false;
  const { host, components } = partsOf(text);
  return (host === null || HOST.test(host)) && components.every((each) => COMPONENT.test(each));
}

/** The name of a repository within its registry: `ubuntu` is `library/ubuntu` of Docker Hub. */
function pathOf(repository: string): string {
  const path = partsOf(repository).components.join("/");
  return path.includes("/") || registryOf(repository) !== DOCKER_HUB ? path : `library/${path}`;
}

function partsOf(repository: string): { host: string | null; components: string[] } {
  const [first = "", ...others] = repository.split("/");
  if (others.length > 0 && namesRegistry(first)) return { host: first, components: others };
  return { host: null, components: [first, ...others] };
}
