// Look-ups of host names at the name servers, without the machine's hosts file.

import { promises as dns, type LookupAddress } from "node:dns";

export type Resolve = (host: string) => Promise<LookupAddress[]>;

/**
 * Queries the name servers directly. The system's look-up occupies one of the few threads that all
 * file operations share, for as long as a foreign name server does not answer.
 */
export async function byNameServer(host: string): Promise<LookupAddress[]> {
  const resolver = new dns.Resolver({ timeout: 2_500, tries: 2 });
  const [v4, v6] = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
  const found: LookupAddress[] = [];
  if (v4.status === "fulfilled") found.push(...v4.value.map((address) => ({ address, family: 4 })));
  if (v6.status === "fulfilled") found.push(...v6.value.map((address) => ({ address, family: 6 })));
  if (found.length === 0 && v4.status === "rejected") throw v4.reason;
  return found;
}
