// The rule for the addresses of webhooks and image registries. It excludes addresses of the
// service's own network, which would trust a request of the service or its engine more than its
// sender. Pure. It is applied at connect time where possible, because a name may resolve
// differently each time.

import { BlockList, isIP } from "node:net";

/** The hosts that requests on behalf of a client may reach. */
export interface ReachRule {
  /** True if private addresses may be reached: only this machine's users are clients. */
  anywhere: boolean;
  /** Host names and addresses that may be reached wherever they are, in lower case. */
  allow: readonly string[];
}

/** The reasons to refuse an address, with the networks of each. An IPv6 form that embeds an IPv4
 * address is checked as that address, or refused if the form is obsolete. */
const refused: [why: string, networks: string[]][] = [
  ["a metadata address", ["169.254.169.254/32", "100.100.100.200/32", "fd00:ec2::254/128"]],
  ["a loopback address", ["127.0.0.0/8", "::1/128", "64:ff9b::127.0.0.0/104"]],
  ["a link-local address", ["169.254.0.0/16", "fe80::/10", "64:ff9b::169.254.0.0/112"]],
  [
    "a private address",
    [
      "10.0.0.0/8",
      "100.64.0.0/10",
      "172.16.0.0/12",
      "192.168.0.0/16",
      "fc00::/7",
      "fec0::/10",
      "64:ff9b:1::/48",
      "64:ff9b::10.0.0.0/104",
      "64:ff9b::100.64.0.0/106",
      "64:ff9b::172.16.0.0/108",
      "64:ff9b::192.168.0.0/112",
    ],
  ],
  [
    "an address of no public host",
    [
      "0.0.0.0/8",
      "192.0.0.0/24",
      "192.0.2.0/24",
      "198.18.0.0/15",
      "198.51.100.0/24",
      "203.0.113.0/24",
      "224.0.0.0/4",
      "240.0.0.0/4",
      "::/96",
      "::ffff:0:0:0/96",
      "100::/64",
      "2001::/32",
      "2001:db8::/32",
      "2002::/16",
      "ff00::/8",
      "64:ff9b::0.0.0.0/104",
      "64:ff9b::224.0.0.0/100",
      "64:ff9b::240.0.0.0/100",
    ],
  ],
];

const lists = refused.map(([why, networks]) => {
  const list = new BlockList();
  for (const network of networks) {
    const [address, bits] = network.split("/") as [string, string];
    list.addSubnet(address, Number(bits), address.includes(":") ? "ipv6" : "ipv4");
  }
  return { why, list };
});

/** The kind of a forbidden address; null if the address may be reached. */
export function refusedAddress(address: string): string | null {
  const [plain] = address.split("%") as [string]; // without the zone of fe80::1%eth0
  const version = isIP(plain);
  if (version === 0) return "no IP address";
  const family = version === 4 ? "ipv4" : "ipv6";
  return lists.find(({ list }) => list.check(plain, family))?.why ?? null;
}
