// A house and a machine at an address of its own beside it: an engine of the test's own behind an SSH
// server of the test's own.

import type { TestContext } from "node:test";
import type { Machine, MachineCreate } from "../../src/contract/rest-v1/machine.ts";
import { clear } from "../../src/drivers/docker/docker-bench.testing.ts";
import { docker, missing, OwnEngine } from "../../src/drivers/docker/engine.testing.ts";
import type { TestHouse } from "../house.ts";
import { podsOf, until } from "../pods/stage.ts";
import { missingSshd, TestSshd } from "./sshd.ts";

export const missingRemote = missing || missingSshd;

/** What the far machine offers, so that tests agree on every machine that runs them. */
export const DECLARED = { vcpus: 16, memoryInGb: 64, diskInGb: 500 };

/** Beats come often, and a machine is lost soon. */
export const QUICK = { beatMs: 300, machineLostMs: 4_000, endGraceMs: 300 };

export interface FarMachine {
  engine: OwnEngine;
  sshd: TestSshd;
  /** What adds it. */
  body: MachineCreate;
  /** By which it was added. */
  ids: string[];
  /** `docker ...` on its engine. */
  docker(...args: string[]): string;
}

/** For a house that was started before, and is stopped before it: hooks run in the order of their making. */
export async function farMachine(t: TestContext, settings?: string[]): Promise<FarMachine> {
  const engine = new OwnEngine();
  const ids: string[] = [];
  t.after(async () => {
    for (const id of ids) clear((...args) => docker(engine.host, ...args), id);
    await engine.dispose();
  });
  await engine.start();
  const sshd = await TestSshd.start(t, settings);
  const address = sshd.address(engine.host.slice("unix://".length));
  const body = { address, identity: sshd.identity, declare: DECLARED, publicIp: "127.0.0.1" };
  return { engine, sshd, body, ids, docker: (...args) => docker(engine.host, ...args) };
}

/** Adds it; its engine is cleared when the test is over. */
export async function added(house: Pick<TestHouse, "call">, far: FarMachine): Promise<string> {
  const { status, json, text } = await house.call("POST", "/v1/machines", far.body);
  if (status !== 201) throw new Error(text);
  far.ids.push(json.id);
  return json.id;
}

/** A Pod that fits anywhere. */
export const CPU = { computeType: "CPU", vcpuCount: 2, volumeInGb: 1, containerDiskInGb: 1 };
const SOON = new Set(["not_offered", "no_capacity"]);

/** Makes a small Pod as soon as this replica has heard of the machine; returns its id once it is up. */
export async function podOn(house: Pick<TestHouse, "call">, body: object): Promise<string> {
  const make = async () => {
    const { json, text } = await house.call("POST", "/v1/pods", { ...CPU, ...body });
    if (!json.id && !SOON.has(json.code)) throw new Error(text);
    return json.id as string | undefined;
  };
  const id = await until(make, "");
  await until(podsOf(house).reached, id);
  return id;
}

export function machinesOf(house: Pick<TestHouse, "call">) {
  const get = async (id: string) => {
    const all = (await house.call("GET", "/v1/machines")).json as Machine[];
    return all.find((each) => each.id === id);
  };
  return {
    get,
    online: async (id: string) => {
      const machine = await get(id);
      return machine?.online ? machine : null;
    },
    troubled: async (id: string) => (await get(id))?.trouble ?? null,
  };
}
