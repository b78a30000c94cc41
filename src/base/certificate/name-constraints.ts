// What the certificates of an authority may name (RFC 5280, 4.2.1.10), so that a stolen key is useless elsewhere. Encoded
// here: the library has no name constraints.

import { BlockList, isIP, isIPv4 } from "node:net";
import forge from "node-forge";

/** Names with those below them, and ranges of addresses such as 10.0.0.0/8. Without ranges, no address is permitted. */
export interface Permitted {
  names: readonly string[];
  ranges: readonly string[];
}

const DNS_NAME = 2;
const IP_ADDRESS = 7;
/** Every IPv4 and every IPv6 address. */
const ALL_RANGES = ["0.0.0.0/0", "::/0"];

export function permits({ names, ranges }: Permitted, name: string): boolean {
  if (isIP(name) === 0) return names.some((each) => name === each || name.endsWith(`.${each}`));
  const list = new BlockList();
  for (const range of ranges) {
    const [address = "", bits] = range.split("/");
    list.addSubnet(address, Number(bits), familyOf(address));
  }
  return list.check(name, familyOf(name));
}

const familyOf = (address: string) => (isIPv4(address) ? "ipv4" : "ipv6");

/** The value of the extension, in DER. */
export function constraintsOf({ names, ranges }: Permitted): string {
  const subtrees = [
    ...names.map((name) => subtree(DNS_NAME, name)),
    ...ranges.map((range) => subtree(IP_ADDRESS, rangeBytes(range))),
  ];
  // A list of names does not restrict addresses, nor one family of addresses the other.
  const excluded = ALL_RANGES.filter(
    (all) => !ranges.some((range) => isIPv4(range.split("/")[0]!) === all.startsWith("0")),
  ).map((all) => subtree(IP_ADDRESS, rangeBytes(all)));
  const groups = [tagged(0, true, subtrees), ...(excluded[0] ? [tagged(1, true, excluded)] : [])];
  return forge.asn1.toDer(sequence(groups)).getBytes();
}

const subtree = (type: number, value: string) => sequence([tagged(type, false, value)]);

/** The library's types lack it. */
const addresses = forge.util as unknown as { bytesFromIP(address: string): string };

/** An address and its mask. */
function rangeBytes(range: string): string {
  const [address = "", bits] = range.split("/");
  const bytes = addresses.bytesFromIP(address);
  return bytes + maskBytes(bytes.length, Number(bits));
}

function maskBytes(length: number, bits: number): string {
  const ones = (index: number) => Math.max(0, Math.min(8, bits - 8 * index));
  const bytes = Array.from({ length }, (_, index) => 256 - 2 ** (8 - ones(index)));
  return String.fromCharCode(...bytes);
}

const tagged = (tag: number, isConstructed: boolean, value: string | forge.asn1.Asn1[]) =>
  forge.asn1.create(forge.asn1.Class.CONTEXT_SPECIFIC, tag, isConstructed, value);

const sequence = (value: forge.asn1.Asn1[]) =>
  forge.asn1.create(forge.asn1.Class.UNIVERSAL, forge.asn1.Type.SEQUENCE, true, value);
