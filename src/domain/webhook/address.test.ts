import assert from "node:assert/strict";
import { test } from "node:test";
import { refusedAddress } from "./address.ts";

const loopback = "a loopback address";
const inside = "a private address";
const local = "a link-local address";
const metadata = "a metadata address";
const nobody = "an address of no public host";

const rows: [address: string, why: string | null][] = [
  ["127.0.0.1", loopback],
  ["127.255.255.254", loopback],
  ["::1", loopback],
  ["0:0:0:0:0:0:0:1", loopback],
  ["::ffff:127.0.0.1", loopback],
  ["::ffff:7f00:1", loopback],
  ["::ffff:0:7f00:1", nobody],
  ["64:ff9b::7f00:1", loopback],
  ["10.0.0.1", inside],
  ["::ffff:10.1.2.3", inside],
  ["64:ff9b::a01:203", inside],
  ["172.15.255.255", null],
  ["172.16.0.1", inside],
  ["172.31.255.255", inside],
  ["172.32.0.1", null],
  ["192.168.1.1", inside],
  ["64:ff9b::c0a8:101", inside],
  ["100.63.255.255", null],
  ["100.64.0.1", inside],
  ["fc00::1", inside],
  ["fd12:3456::1", inside],
  ["fec0::1", inside],
  ["169.254.169.254", metadata],
  ["::ffff:169.254.169.254", metadata],
  ["100.100.100.200", metadata],
  ["fd00:ec2::254", metadata],
  ["64:ff9b::a9fe:a9fe", local],
  ["169.254.170.2", local],
  ["fe80::1", local],
  ["fe80::1%eth0", local],
  ["febf::1", local],
  ["0.0.0.0", nobody],
  ["0.1.2.3", nobody],
  ["::", nobody],
  ["::127.0.0.1", nobody],
  ["2002:7f00:1::1", nobody],
  ["2001:0:1::1", nobody],
  ["198.18.0.1", nobody],
  ["192.0.2.1", nobody],
  ["224.0.0.1", nobody],
  ["255.255.255.255", nobody],
  ["ff02::1", nobody],
  ["localhost", "no IP address"],
  ["93.184.215.14", null],
  ["8.8.8.8", null],
  ["::ffff:8.8.8.8", null],
  ["64:ff9b::808:808", null],
  ["2606:4700:4700::1111", null],
];

for (const [address, why] of rows) {
  test(`${address} is ${why ?? "reached"}`, () => assert.equal(refusedAddress(address), why));
}
