// The settings of Pods' ports: the public ports of this machine, and the domains of the proxy
// and the balancer.

import type { PortLimits, PortRange } from "../../domain/container/ports.ts";
import { LARGEST_PORT } from "../../domain/container/ports.ts";
import { USUAL_BALANCER_DOMAIN } from "../../edge/balancer/address.ts";
import { isWithin, USUAL_DOMAIN } from "../../edge/proxy/proxy-target.ts";
import { type Given, settings } from "../settings.ts";

/** Below the range that the operating system uses for outgoing connections. */
const USUAL_PORTS: PortRange = { first: 20_000, last: 29_999 };

export function readPorts(setting: string | null, errors: string[]): PortRange {
  if (setting === null) return USUAL_PORTS;
  const match = /^(\d{1,5})-(\d{1,5})$/.exec(setting);
  const [first, last] = [Number(match?.[1]), Number(match?.[2])];
  if (match && first >= 1 && first <= last && last <= LARGEST_PORT) return { first, last };
  errors.push(`FREEHOLD_PORTS is "${setting}"; it takes the first and the last port: 20000-29999`);
  return USUAL_PORTS;
}

export function readPortLimits(setting: Given, errors: string[]): PortLimits {
  const read = (name: "portsPerPod" | "portsPerAccount", usual: number) => {
    const value = setting(name);
    if (value === null) return usual;
    if (/^\d{1,6}$/.test(value)) return Number(value);
    errors.push(`${settings[name].variable} is "${value}"; it takes a whole number`);
    return usual;
  };
  return { perPod: read("portsPerPod", 16), perAccount: read("portsPerAccount", 1_000) };
}

/** Null for the default domain, which only this machine can reach. */
export function readProxyDomain(
  setting: string | null,
  publicUrl: string | null,
  errors: string[],
): string | null {
  const domain = readDomain("FREEHOLD_PROXY_DOMAIN", setting, "pods.example.org", errors);
  if (domain !== null && publicUrl !== null && URL.canParse(publicUrl)) {
    const { hostname } = new URL(publicUrl);
    if (isWithin(hostname, domain)) {
      errors.push(
        `FREEHOLD_PROXY_DOMAIN is "${setting}", and FREEHOLD_PUBLIC_URL lies in it; Pods need a domain ` +
          "of their own, such as pods.example.org",
      );
    }
  }
  return domain === USUAL_DOMAIN ? null : domain;
}

/** The domain whose subdomains are load-balancing endpoints; null for only the default domain. */
export function readBalancerDomain(
  setting: string | null,
  proxyDomain: string | null,
  errors: string[],
): string | null {
  const domain = readDomain("FREEHOLD_BALANCER_DOMAIN", setting, "lb.example.org", errors);
  if (domain !== null && proxyDomain !== null && isWithin(domain, proxyDomain)) {
    errors.push(
      `FREEHOLD_BALANCER_DOMAIN is "${setting}", which lies in FREEHOLD_PROXY_DOMAIN; its names are Pods`,
    );
  }
  return domain === USUAL_BALANCER_DOMAIN ? null : domain;
}

function readDomain(
  name: string,
  setting: string | null,
  example: string,
  errors: string[],
): string | null {
  if (setting === null) return null;
  const domain = setting.toLowerCase().replace(/^\*?\./, "");
  if (!/^(?=.{1,190}$)[a-z0-9-]+(?:\.[a-z0-9-]+)*$/.test(domain) || /^[\d.]+$/.test(domain)) {
    errors.push(`${name} is "${setting}"; it takes a domain: ${example}`);
    return null;
  }
  return domain;
}
