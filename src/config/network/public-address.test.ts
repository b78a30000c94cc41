import assert from "node:assert/strict";
import type { NetworkInterfaceInfo } from "node:os";
import { test } from "node:test";
import { networkAddress } from "./public-address.ts";

function at(address: string, more: Partial<NetworkInterfaceInfo> = {}): NetworkInterfaceInfo[] {
  const rest = { netmask: "255.255.255.0", mac: "", cidr: null, internal: false };
  return [{ ...rest, address, family: "IPv4", ...more } as NetworkInterfaceInfo];
}

const HEADER = "Iface\tDestination\tGateway\tFlags\tRefCnt\tUse\tMetric\tMask\tMTU\tWindow\tIRTT";
const route = (name: string, metric: number, destination = "00000000", mask = "00000000") =>
  `${name}\t${destination}\t0100A8C0\t0003\t0\t0\t${metric}\t${mask}\t0\t0\t0`;

const interfaces = {
  lo: at("127.0.0.1", { internal: true }),
  docker0: at("172.17.0.1"),
  wlan0: at("192.168.7.20"),
  eth0: at("10.0.0.5"),
};

test("the address on the network is that of the default route with the lowest metric", () => {
  const routes = [
    HEADER,
    route("docker0", 0, "000011AC", "0000FFFF"),
    route("wlan0", 600),
    route("eth0", 100),
  ];
  assert.equal(networkAddress(interfaces, routes.join("\n")), "10.0.0.5");
});

test("without a default route, an engine's bridge is the last choice", () => {
  assert.equal(networkAddress(interfaces, HEADER), "192.168.7.20");
  const { lo, docker0 } = interfaces;
  assert.equal(networkAddress({ lo, docker0 }, ""), "172.17.0.1");
});

test("a machine without a network has no address", () => {
  const onlyV6 = at("fd00::1", { family: "IPv6", scopeid: 0 } as NetworkInterfaceInfo);
  assert.equal(networkAddress({ lo: interfaces.lo, eth0: onlyV6 }, ""), null);
});
