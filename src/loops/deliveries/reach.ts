// Decides which receivers a webhook may reach. The rule is applied to the addresses that a connection
// is made to, so a name cannot resolve to one address for the check and to another for the call.

import { type LookupAddress, lookup } from "node:dns";
import { isIP, type LookupFunction } from "node:net";
import { byNameServer, type Resolve } from "../../base/name-servers.ts";
import { type ReachRule, refusedAddress } from "../../domain/webhook/address.ts";

/** Thrown for a connection that the rule forbids. */
class ReachRefused extends Error {
  override readonly name = "ReachRefused";
  constructor(host: string, address: string, reason: string) {
    const subject = host === address ? `${host} is` : `${host} is at ${address},`;
    super(`${subject} ${reason}; webhooks go there only if FREEHOLD_WEBHOOK_ALLOW names the host`);
  }
}

/**
 * The look-up for the host of a URL. Throws ReachRefused for an address in the URL itself, which no
 * connection looks up.
 */
export function lookupFor(
  host: string,
  rule: ReachRule,
  resolve: Resolve = byNameServer,
): LookupFunction {
  if (rule.anywhere || rule.allow.includes(host)) return lookup;
  if (isIP(host) !== 0) requirePublic(host, host);
  return (name, options, callback) => {
    resolve(name).then(
      (found) => {
        const allowed = found.filter(({ address }) => refusedAddress(address) === null);
        const first = allowed[0];
        if (!first) return callback(refusalOf(name, found), "", 0);
        if (options.all) callback(null, allowed);
        else callback(null, first.address, first.family);
      },
      (error: NodeJS.ErrnoException) => callback(error, "", 0),
    );
  };
}

function requirePublic(host: string, address: string): void {
  const reason = refusedAddress(address);
  if (reason !== null) throw new ReachRefused(host, address, reason);
}

function refusalOf(host: string, found: LookupAddress[]): Error {
  const address = found[0]?.address ?? "";
  return new ReachRefused(host, address, refusedAddress(address) ?? "no address");
}
