// The settings of the S3 interface: its own listener, and how far clients' clocks may differ.

import { LARGEST_PORT } from "../../domain/pod/container/ports.ts";
import { type Address, readAddress } from "./listen-address.ts";
import type { ProxyListen } from "./proxy-config.ts";

const MINUTE_MS = 60_000;
const USUAL_SKEW_MINUTES = 15;
const MAX_SKEW_MINUTES = 60;

/** Null if it is off. The default is loopback, two ports after the service's. */
export function readS3Listen(
  setting: string | null,
  own: Address & { loopback: boolean },
  errors: string[],
): ProxyListen | null {
  if (setting === "off") return null;
  const port = own.port === 0 || own.port + 2 > LARGEST_PORT ? 0 : own.port + 2;
  const usual = { host: own.loopback ? own.host : "127.0.0.1", port };
  if (setting === null) return { ...usual, chosen: false };
  return { ...readAddress("FREEHOLD_S3_LISTEN", setting, usual, errors), chosen: true };
}

export function readClockSkew(setting: string | null, errors: string[]): number {
  if (setting === null) return USUAL_SKEW_MINUTES * MINUTE_MS;
  const minutes = Number(setting);
  if (!/^\d{1,2}$/.test(setting) || minutes < 1 || minutes > MAX_SKEW_MINUTES) {
    errors.push(`FREEHOLD_S3_CLOCK_SKEW is "${setting}"; it takes 1 to 60 minutes`);
  }
  return minutes * MINUTE_MS;
}
