// The address at which other machines reach this one.

import { networkInterfaces } from "node:os";
import type { Config } from "./config.ts";

/** The listening address; for a wildcard address, the first one that is not loopback. */
export function seenFromOutside(origin: string, { host }: Pick<Config, "host">): string {
  if (host !== "0.0.0.0" && host !== "::") return origin;
  const all = Object.values(networkInterfaces()).flatMap((each) => each ?? []);
  const outside = all.find(({ internal, family }) => !internal && family === "IPv4");
  const { port } = new URL(origin);
  return outside ? `http://${outside.address}:${port}` : origin;
}
