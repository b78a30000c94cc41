// Which hosts webhooks and images' registries may have.

import type { ReachRule } from "../../domain/webhook/address.ts";
import type { LocalTrust } from "../../flows/local-trust.ts";
import type { Config } from "../config.ts";

/** If only this machine's users send requests, they reach its network anyway. */
export function reachRule({ webhookAllow }: Config, localTrust: LocalTrust): ReachRule {
  return {
    get anywhere() {
      return localTrust.isLocal;
    },
    allow: webhookAllow.map((host) => host.toLowerCase()),
  };
}
