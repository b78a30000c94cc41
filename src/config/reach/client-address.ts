// The host and port at which clients reach a listener beside the service's.

import type { AddressInfo, Server } from "node:net";
import type { Config } from "../config.ts";
import type { ListenAddress } from "../network/listen-address.ts";
import { isWildcard, networkAddress } from "../network/public-address.ts";

/** Null if it is off. */
export function addressFor(
  server: Server,
  listen: ListenAddress | null,
  { publicUrl, publicIp }: Pick<Config, "publicUrl" | "publicIp">,
): { host: string; port: number } | null {
  const address = server.address() as AddressInfo | null;
  if (!listen || address === null) return null;
  const name = publicUrl === null ? publicIp : new URL(publicUrl).hostname;
  const isLocal = listen.host === "127.0.0.1" || listen.host === "::1";
  const own = isWildcard(listen.host) ? networkAddress() : null;
  return { host: isLocal ? listen.host : (name ?? own ?? listen.host), port: address.port };
}
