// The stored credentials for an image registry, sealed.

import { registryOf } from "./image/image-registry.ts";
import type { Labels } from "./label/labels.ts";
import type { Owned } from "./member/member.ts";

export interface RegistryAuth extends Owned {
  id: string;
  accountId: string;
  name: string;
  labels: Labels;
  /** Username and password as JSON, sealed for `credentialsOwner`. */
  credentials: string;
  /** The registry that it is for, as `registryOf` names it; null until its first use. */
  registry: string | null;
  createdAt: number;
}

export interface Credentials {
  username: string;
  password: string;
}

/** A sentence if the auth is for another registry than the image's, or null. */
export function wrongRegistry({ name, registry }: RegistryAuth, image: string): string | null {
  const needed = registryOf(image);
  if (registry === null || registry === needed) return null;
  return `the container registry auth "${name}" is for ${registry}, and the image ${image} is in ${needed}`;
}

/** The owner id that an auth's credentials are sealed for. */
export const credentialsOwner = (id: string) => `registry_auth:${id}`;
