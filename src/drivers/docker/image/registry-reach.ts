// Whether an image's registry may be reached. The engine makes the connection itself and looks the name up
// again, so that this keeps out addresses and names of the operator's network, but not a name whose answers
// change in between.

import { isIP } from "node:net";
import type { Resolve } from "../../../base/name-servers.ts";
import { DOCKER_HUB, registryOf } from "../../../domain/image/image-registry.ts";
import { type ReachRule, refusedAddress } from "../../../domain/webhook/address.ts";
import { StartRefused } from "../../driver.ts";

/** Throws StartRefused if the rule forbids the image's registry, or its name cannot be resolved. */
export async function requireReachable(
  image: string,
  rule: ReachRule,
  resolve: Resolve,
): Promise<void> {
  const registry = registryOf(image);
  if (rule.anywhere || registry === DOCKER_HUB) return;
  const host = registry.replace(/:\d*$/, "");
  if (rule.allow.includes(host)) return;
  const addresses = isIP(host) === 0 ? await addressesOf(image, host, resolve) : [host];
  const reason = addresses.map(refusedAddress).find((each) => each !== null);
  if (reason === undefined) return;
  const sentence =
    `the registry of the image ${image} is at ${reason}; images come from there only if ` +
    "FREEHOLD_WEBHOOK_ALLOW names the host";
  throw new StartRefused(sentence, "registry_refused");
}

async function addressesOf(image: string, host: string, resolve: Resolve): Promise<string[]> {
  const found = await resolve(host).catch(() => []);
  if (found.length > 0) return found.map(({ address }) => address);
  throw new StartRefused(`the registry of the image ${image} has no address`, "registry_away");
}
