// The settings of connections: how many one address may have without a key, the addresses that are exempt, and the
// slowest body.

import { BlockList, isIP } from "node:net";
import type { BodyRate } from "../../edge/http/connection/body-progress.ts";
import type { ConnectionRules } from "../../edge/http/connection/connection-guard.ts";
import type { Given } from "../settings.ts";

const DEFAULT_PER_ADDRESS = 1_000;
const DEFAULT_RATE: BodyRate = { bytesPerS: 1_024, periodMs: 20_000 };

export function readConnectionRules(setting: Given, errors: string[]): ConnectionRules {
  return {
    connections: {
      perAddress: readPerAddress(setting("connectionsPerAddress"), errors),
      trusted: readTrusted(setting("trustedProxies"), errors),
    },
    bodies: readRate(setting("bodyRate"), errors),
  };
}

function readPerAddress(setting: string | null, errors: string[]): number | null {
  if (setting === "off") return null;
  if (setting === null) return DEFAULT_PER_ADDRESS;
  const limit = Number(setting);
  if (Number.isInteger(limit) && limit > 0) return limit;
  errors.push(
    `FREEHOLD_CONNECTIONS_PER_ADDRESS is "${setting}"; it takes a whole number above 0, or off`,
  );
  return DEFAULT_PER_ADDRESS;
}

/** Loopback is always exempt: a reverse proxy or a tunnel of this machine connects from there. */
function readTrusted(setting: string | null, errors: string[]): (address: string) => boolean {
  const trusted = new BlockList();
  trusted.addSubnet("127.0.0.0", 8, "ipv4");
  trusted.addAddress("::1", "ipv6");
  for (const each of (setting ?? "").split(",").map((text) => text.trim())) {
    if (each !== "" && !add(trusted, each)) {
      errors.push(
        `FREEHOLD_TRUSTED_PROXIES has "${each}"; it takes addresses such as 10.0.0.5 or 10.0.0.0/24`,
      );
    }
  }
  return (address) => trusted.check(address, isIP(address) === 6 ? "ipv6" : "ipv4");
}

function add(trusted: BlockList, text: string): boolean {
  const [address = "", bits, more] = text.split("/");
  const version = isIP(address);
  const prefix = bits === undefined ? null : Number(bits || Number.NaN);
  const longest = version === 6 ? 128 : 32;
  if (version === 0 || more !== undefined) return false;
  const family = version === 6 ? "ipv6" : "ipv4";
  if (prefix === null) trusted.addAddress(address, family);
  else if (Number.isInteger(prefix) && prefix >= 0 && prefix <= longest)
    trusted.addSubnet(address, prefix, family);
  else return false;
  return true;
}

function readRate(setting: string | null, errors: string[]): BodyRate {
  if (setting === null) return DEFAULT_RATE;
  const match = /^(\d{1,9})\/(\d{1,4})s$/.exec(setting);
  const [bytesPerS, periodS] = [Number(match?.[1]), Number(match?.[2])];
  if (match && periodS > 0) return { bytesPerS, periodMs: periodS * 1_000 };
  errors.push(
    `FREEHOLD_BODY_RATE is "${setting}"; it takes bytes per second and a period: 1024/20s`,
  );
  return DEFAULT_RATE;
}
