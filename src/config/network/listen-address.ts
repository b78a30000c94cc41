// Listening addresses, as settings spell them.

import { urlHost } from "../../base/url-host.ts";
import { LARGEST_PORT } from "../../domain/container/ports.ts";

export interface Address {
  host: string;
  port: number;
}

/** Parses an address and port such as 127.0.0.1:8700, [::1]:8700 or 8700. */
export function readAddress(name: string, text: string, usual: Address, errors: string[]): Address {
  const match = /^(?:\[?([^\]]*?)\]?:)?(\d{1,5})$/.exec(text);
  const port = Number(match?.[2]);
  if (match && port <= LARGEST_PORT) return { host: match[1] || "127.0.0.1", port };
  const example = `${usual.host}:${usual.port}`;
  errors.push(`${name} is "${text}"; it takes address:port such as ${example}`);
  return usual;
}

/** The configured address, in the form that a local client uses. */
export function originOf({ host, port }: Address): string {
  const name = ["0.0.0.0", "::"].includes(host) ? "127.0.0.1" : host;
  return `http://${urlHost(name)}:${port}`;
}

/** A listener beside the service's. One that was not `chosen` gives way to a program that uses the port already. */
export interface ListenAddress extends Address {
  chosen: boolean;
}

interface Listener {
  variable: string;
  /** How many ports after the service's it is by default. */
  offset: number;
  /** Whether it is on unless the setting says otherwise. */
  isUsual: boolean;
}

/** Null if it is off. The default is loopback. */
export function readListenAddress(
  { variable, offset, isUsual }: Listener,
  setting: string | null,
  own: Address & { loopback: boolean },
  errors: string[],
): ListenAddress | null {
  if (setting === "off" || (setting === null && !isUsual)) return null;
  const port = own.port === 0 || own.port + offset > LARGEST_PORT ? 0 : own.port + offset;
  const usual = { host: own.loopback ? own.host : "127.0.0.1", port };
  if (setting === null) return { ...usual, chosen: false };
  return { ...readAddress(variable, setting, usual, errors), chosen: true };
}

/** A port for a service whose own is taken. A Freehold that has it also uses the ports after it. */
export const otherPort = (port: number): number =>
  port + 10 > LARGEST_PORT ? port - 10 : port + 10;
