// A fixture of a remote machine: a container engine behind an SSH server, both started by the test.

import type { TestContext } from "node:test";
import type { Machine } from "../../src/contract/rest-v1/machine/machine.ts";
import type { MachineCreate } from "../../src/contract/rest-v1/machine/machine-write.ts";
import { removeMachine } from "../fixtures/docker/docker-driver-harness.ts";
import { docker, skipReason, TestEngine } from "../fixtures/docker/engine.ts";
import type { TestService } from "../fixtures/service/service.ts";
import { until } from "../fixtures/until.ts";
import { podsOf } from "../pods/fixture.ts";
import { missingSshd, TestSshd } from "./sshd.ts";

export const missingRemote = skipReason || missingSshd;

/** The declared hardware of the remote machine, so that tests do not depend on this one. */
export const DECLARED = { vcpus: 16, memoryInGb: 64, diskInGb: 500 };

/** Short times; a machine whose heartbeats are late on a busy computer is not lost. */
export const QUICK = { heartbeatMs: 300, machineLostMs: 120_000, endGraceMs: 300 };

/** For tests that lose a machine. */
export const QUICK_LOSS = { ...QUICK, machineLostMs: 4_000 };

export interface FarMachine {
  engine: TestEngine;
  sshd: TestSshd;
  /** The body of the request that adds it. */
  body: MachineCreate;
  /** The ids under which it was added. */
  ids: string[];
  /** `docker ...` on its engine. */
  docker(...args: string[]): string;
}

/** Call it after the service is started: hooks run in order, and the service must stop first. */
export async function farMachine(t: TestContext, settings?: string[]): Promise<FarMachine> {
  const engine = new TestEngine();
  const ids: string[] = [];
  t.after(async () => {
    for (const id of ids) removeMachine((...args) => docker(engine.host, ...args), id);
    await engine.dispose();
  });
  await engine.start();
  const sshd = await TestSshd.start(t, settings);
  const address = sshd.address(engine.host.slice("unix://".length));
  const body = { address, identity: sshd.identity, declare: DECLARED, publicIp: "127.0.0.1" };
  return { engine, sshd, body, ids, docker: (...args) => docker(engine.host, ...args) };
}

/** Adds the machine to a service; its engine is emptied after the test. */
export async function added(service: Pick<TestService, "call">, far: FarMachine): Promise<string> {
  const { status, json, text } = await service.call("POST", "/v1/machines", far.body);
  if (status !== 201) throw new Error(text);
  far.ids.push(json.id);
  return json.id;
}

/** A Pod that fits on any machine. */
export const CPU = { computeType: "CPU", vcpuCount: 2, volumeInGb: 1, containerDiskInGb: 1 };
const SOON = new Set(["not_offered", "no_capacity"]);

/** Creates a small Pod once the machine is known; returns its id once it is reachable. */
export async function podOn(service: Pick<TestService, "call">, body: object): Promise<string> {
  const make = async () => {
    const { json, text } = await service.call("POST", "/v1/pods", { ...CPU, ...body });
    if (!json.id && !SOON.has(json.code)) throw new Error(text);
    return json.id as string | undefined;
  };
  const id = await until(make, "");
  await until(podsOf(service).reached, id);
  return id;
}

export function machinesOf(service: Pick<TestService, "call">) {
  const get = async (id: string) => {
    const all = (await service.call("GET", "/v1/machines")).json as Machine[];
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
