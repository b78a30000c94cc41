// Listening addresses, as settings spell them.

import { LARGEST_PORT } from "../../domain/pod/container/ports.ts";

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
