// Tests of the firewall rules that a gateway sets, with an engine like Podman that lists its bridges, or fails to.

import assert from "node:assert/strict";
import { test } from "node:test";
import { pino } from "pino";
import { VirtualClock } from "../../base/clock.ts";
import type { DockerDriver } from "../../drivers/docker/docker-driver.ts";
import { MachineFirewall } from "../../drivers/docker/network/firewall.ts";
import { DriverUnavailable } from "../../drivers/driver.ts";
import { ContainerGateway } from "./container-gateway.ts";

interface Engine {
  bridges(): Promise<string[]>;
}

function machine(engine: Engine, everywhere: number | null = 8_700) {
  const clock = new VirtualClock();
  const firewall = new MachineFirewall();
  /** The rules that were set, oldest first. */
  const rules: string[] = [];
  const created: (() => Promise<void>)[] = [];
  const listening = new Set<string>();
  const networks = {
    bridgePrefix: "fh12345",
    bridges: () => engine.bridges(),
    gateway: async () => "172.18.0.1",
    onCreate: (listener: () => Promise<void>) => void created.push(listener),
  };
  const driver = {
    networks,
    engine: { kind: async () => "podman" },
    ownContainer: async () => null,
    onConnect() {},
  } as unknown as DockerDriver;
  const gateway = () =>
    new ContainerGateway({
      clock,
      driver,
      firewall,
      request: 8_700,
      publicUrl: null,
      hostNetwork: {
        everywhere,
        async listen(address, port) {
          listening.add(address);
          return { port, close: async () => void listening.delete(address) };
        },
        async run(program, _, input = "") {
          if (program === "iptables-restore") rules.push(input);
          return "";
        },
      },
      log: pino({ level: "silent" }),
      keptPort: null,
      keepPort() {},
    });
  return { clock, rules, gateway, created, listening };
}

const away = async (): Promise<string[]> => {
  throw new DriverUnavailable("the engine is away");
};

test("an engine that is away when rules are refreshed harms nothing, and starts go on with its return", async () => {
  const engine: Engine = { bridges: async () => ["fh12345a"] };
  const { clock, rules, gateway } = machine(engine);
  const own = gateway();
  assert.equal(await own.originFor("a"), "http://172.18.0.1:8700");
  engine.bridges = away;
  await clock.advance(61_000);
  assert.equal(await own.originFor("a"), "http://172.18.0.1:8700");
  await clock.advance(0);
  await assert.rejects(own.originFor("a"), DriverUnavailable);
  engine.bridges = async () => ["fh12345a", "fh12345b"];
  await own.originFor("a");
  assert.match(rules.at(-1)!, /-i fh12345b/);
});

test("a start that is under way when the service stops leaves no listener", async () => {
  const { gateway, listening } = machine({ bridges: async () => [] }, null);
  const own = gateway();
  await own.originFor("a");
  assert.equal(listening.size, 1);
  const start = own.originFor("a");
  await own.close();
  await assert.rejects(start, DriverUnavailable);
  assert.equal(listening.size, 0);
});

test("rules for an older list of bridges never replace those for a newer one", async () => {
  const bridges = ["fh12345a"];
  const first = Promise.withResolvers<void>();
  let calls = 0;
  const { clock, rules, gateway, created } = machine({
    async bridges() {
      const all = [...bridges];
      if (++calls === 1) await first.promise;
      return all;
    },
  });
  const own = gateway();
  gateway(); // another one of the same machine hears of the next network
  const start = own.originFor("a");
  await clock.advance(0);
  bridges.push("fh12345b");
  const listener = created.at(-1)!();
  await clock.advance(0);
  first.resolve();
  await Promise.all([start, listener]);
  assert.equal(rules.length, 2);
  assert.match(rules.at(-1)!, /-i fh12345b/);
});

test("a service that listens everywhere sets rules for each new network", async () => {
  const { rules, gateway, created } = machine({ bridges: async () => ["fh12345a"] });
  gateway();
  await created[0]!();
  assert.match(rules[0]!, /--dport 8700[\s\S]*-i fh12345a/);
});
