// The network that a client's address stands for. Pure.

import { isIPv6 } from "node:net";

/** An IPv4 address without the prefix that a dual-stack socket reports. */
export function plainAddress(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.)/i, "");
}

/** Whether an address is one that each computer has for itself. */
export const isLoopback = (ip: string) => ip === "::1" || /^(?:::ffff:)?127\./.test(ip);

/** A host usually has a whole /64 of IPv6 addresses. */
export function networkOf(address: string): string {
  if (!isIPv6(address)) return address;
  const [head = "", tail] = address.split("%")[0]!.split("::");
  const groups = head === "" ? [] : head.split(":");
  const rest = tail === undefined || tail === "" ? [] : tail.split(":");
  while (groups.length + rest.length < 8) groups.push("0");
  return [...groups, ...rest].slice(0, 4).join(":");
}
