// Which addresses a webhook may not reach: whatever lies behind the service's own network, where a
// request of ours would be trusted more than its sender. Pure; asked at connect time, because a name
// may answer differently each time it is looked up.

import { BlockList, isIP } from "node:net";

/** Why an address is refused, with the networks the reason covers. IPv6 forms that carry an IPv4
 * address in themselves are checked as that one, or refused where nobody needs them any more. */
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

/** Says what kind of address it is if a webhook may not reach it, or null if it may. */
export function refusedAddress(address: string): string | null {
  const [plain] = address.split("%") as [string]; // without the zone of fe80::1%eth0
  const version = isIP(plain);
  if (version === 0) return "no IP address";
  const family = version === 4 ? "ipv4" : "ipv6";
  return lists.find(({ list }) => list.check(plain, family))?.why ?? null;
}
