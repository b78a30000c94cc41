// The endpoint of a request to the balancer, from its Host header or its path. Pure.

import { Fault } from "../../domain/fault.ts";
import { FLASH_WORD } from "../../domain/reserved-words.ts";
import { isWithin } from "../proxy/proxy-target.ts";

/** Browsers and curl resolve names below localhost to this machine. */
export const USUAL_BALANCER_DOMAIN = "lb.localhost";

const LABEL = /^[a-z0-9][a-z0-9_-]{0,63}$/;
/** The form of generated ids, and the word of Flash: other names below the API's host are not the balancer's. */
const GENERATED = new RegExp(`^(?:[a-z0-9]{14}|${FLASH_WORD})$`);

export interface BalancerDomains {
  /** Every name below these is the balancer's. */
  own: readonly string[];
  /** Hosts of the API; only <endpoint>.<host> and flash.<host> below these are the balancer's. */
  api: readonly string[];
}

/** Null for a host that is not the balancer's; `endpointId` is null for a name without an endpoint. */
export function endpointOfHost(
  name: string,
  { own, api }: BalancerDomains,
): { endpointId: string | null } | null {
  const domain = own.find((each) => isWithin(name, each));
  if (domain !== undefined) return { endpointId: labelBelow(name, domain, LABEL) };
  for (const each of api) {
    const endpointId = labelBelow(name, each, GENERATED);
    if (endpointId !== null) return { endpointId };
  }
  return null;
}

function labelBelow(name: string, domain: string, form: RegExp): string | null {
  if (!name.endsWith(`.${domain}`)) return null;
  const label = name.slice(0, -domain.length - 1);
  return form.test(label) ? label : null;
}

export interface PathAddress {
  endpointId: string;
  /** "/lb/<endpoint>", the prefix of every path of the endpoint. */
  prefix: string;
  /** The path and query for the worker. */
  rest: string;
}

const PATH = /^\/lb\/([A-Za-z0-9_-]{1,64})(?=[/?]|$)/;

/** The address in "/lb/<endpoint>/..."; null for any other form. */
export function endpointOfPath(url: string): PathAddress | null {
  const match = PATH.exec(url);
  if (!match) return null;
  const rest = url.slice(match[0].length);
  return {
    endpointId: match[1]!,
    prefix: match[0],
    rest: rest.startsWith("/") ? rest : `/${rest}`,
  };
}

export const isBalancerPath = (url: string) => /^\/lb(?=[/?]|$)/.test(url);

export function noEndpoint(where: string): Fault {
  const form = "<endpoint>.lb.localhost, or /lb/<endpoint>/ on the path listener";
  return new Fault("no_such_site", {
    detail: `"${where.slice(0, 120)}" is not the address of a load-balancing endpoint: use ${form}.`,
  });
}
