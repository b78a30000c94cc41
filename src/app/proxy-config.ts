// The settings of Pods' ports: the public ones that this machine gives, the domain that the proxy
// answers for, and where it listens beside the service itself.

import type { PortRange } from "../domain/pod/ports.ts";
import { LARGEST_PORT } from "../domain/pod/ports.ts";
import { isWithin, USUAL_DOMAIN } from "../edge/proxy/address.ts";
import { type Address, readAddress } from "./address.ts";

/** Where the proxy listens; one that was not `chosen` gives way to whoever has it already. */
export interface ProxyListen extends Address {
  chosen: boolean;
}

/** Below those that the operating system gives to connections that go out. */
const USUAL_PORTS: PortRange = { first: 20_000, last: 29_999 };

export function readPorts(given: string | null, mistakes: string[]): PortRange {
  if (given === null) return USUAL_PORTS;
  const match = /^(\d{1,5})-(\d{1,5})$/.exec(given);
  const [first, last] = [Number(match?.[1]), Number(match?.[2])];
  if (match && first >= 1 && first <= last && last <= LARGEST_PORT) return { first, last };
  mistakes.push(`FREEHOLD_PORTS is "${given}"; it takes the first and the last port: 20000-29999`);
  return USUAL_PORTS;
}

/** Null where there is to be none. What is not said is on loopback, at the port after the service's. */
export function readProxyListen(
  given: string | null,
  own: Address & { loopback: boolean },
  mistakes: string[],
): ProxyListen | null {
  if (given === "off") return null;
  const port = own.port === 0 || own.port === LARGEST_PORT ? 0 : own.port + 1;
  const usual = { host: own.loopback ? own.host : "127.0.0.1", port };
  if (given === null) return { ...usual, chosen: false };
  return { ...readAddress("FREEHOLD_PROXY_LISTEN", given, usual, mistakes), chosen: true };
}

/** Null for the one of this machine alone. */
export function readProxyDomain(
  given: string | null,
  publicUrl: string | null,
  mistakes: string[],
): string | null {
  if (given === null) return null;
  const domain = given.toLowerCase().replace(/^\*?\./, "");
  if (!/^(?=.{1,190}$)[a-z0-9-]+(?:\.[a-z0-9-]+)*$/.test(domain) || /^[\d.]+$/.test(domain)) {
    mistakes.push(`FREEHOLD_PROXY_DOMAIN is "${given}"; it takes a domain: pods.example.org`);
  } else if (publicUrl !== null && URL.canParse(publicUrl)) {
    const { hostname } = new URL(publicUrl);
    if (isWithin(hostname, domain)) {
      mistakes.push(
        `FREEHOLD_PROXY_DOMAIN is "${given}", and FREEHOLD_PUBLIC_URL lies in it; Pods need a domain ` +
          "that nothing else is in, such as pods.example.org",
      );
    }
  }
  return domain === USUAL_DOMAIN ? null : domain;
}
