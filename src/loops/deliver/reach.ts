// Which receivers a webhook may reach. The rule is applied to the very addresses that a connection
// is made to, so that a name cannot answer with one address when asked and another when called.

import { promises as dns, type LookupAddress, lookup } from "node:dns";
import { isIP, type LookupFunction } from "node:net";
import { refusedAddress } from "../../domain/webhook/address.ts";

export interface ReachRule {
  /** True where private addresses may be reached: the service itself is on loopback. */
  anywhere: boolean;
  /** Host names and addresses that may be reached wherever they are. */
  allow: readonly string[];
}

/** A connection that was not made, with the sentence that says why. */
export class ReachRefused extends Error {
  override readonly name = "ReachRefused";
  constructor(host: string, address: string, why: string) {
    const what = host === address ? `${host} is` : `${host} is at ${address},`;
    super(`${what} ${why}; webhooks go there only if FREEHOLD_WEBHOOK_ALLOW names the host`);
  }
}

export type Resolve = (host: string) => Promise<LookupAddress[]>;

/**
 * How the host of a URL is to be looked up. Throws ReachRefused for an address written out in the
 * URL itself, which no connection ever looks up.
 */
export function lookupFor(
  host: string,
  rule: ReachRule,
  resolve: Resolve = byNameServer,
): LookupFunction {
  if (rule.anywhere || rule.allow.includes(host)) return lookup;
  if (isIP(host) !== 0) mustBePublic(host, host);
  return (name, options, callback) => {
    resolve(name).then(
      (found) => {
        const admitted = found.filter(({ address }) => refusedAddress(address) === null);
        const first = admitted[0];
        if (!first) return callback(refusalOf(name, found), "", 0);
        if (options.all) callback(null, admitted);
        else callback(null, first.address, first.family);
      },
      (error: NodeJS.ErrnoException) => callback(error, "", 0),
    );
  };
}

function mustBePublic(host: string, address: string): void {
  const why = refusedAddress(address);
  if (why !== null) throw new ReachRefused(host, address, why);
}

function refusalOf(host: string, found: LookupAddress[]): Error {
  const address = found[0]?.address ?? "";
  return new ReachRefused(host, address, refusedAddress(address) ?? "no address");
}

/**
 * Asks the name servers themselves. The system's own look-up would occupy one of the few threads
 * that all files share for as long as a stranger's name server cares to be silent.
 */
async function byNameServer(host: string): Promise<LookupAddress[]> {
  const resolver = new dns.Resolver({ timeout: 2_500, tries: 2 });
  const [v4, v6] = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
  const found: LookupAddress[] = [];
  if (v4.status === "fulfilled") found.push(...v4.value.map((address) => ({ address, family: 4 })));
  if (v6.status === "fulfilled") found.push(...v6.value.map((address) => ({ address, family: 6 })));
  if (found.length === 0 && v4.status === "rejected") throw v4.reason;
  return found;
}
