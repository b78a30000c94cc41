// The public ports of a machine: each belongs to one Pod until that Pod is forgotten.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { PortRange, PublicPorts } from "../../../../src/domain/container/ports.ts";
import type { Tx } from "../../../../src/store/engine/statement.ts";
import { findPod, lockPod } from "../../../../src/store/pod/row.ts";
import { forgetPod } from "../../../../src/transactions/pod/forget.ts";
import { dropPorts, takePorts } from "../../../../src/transactions/pod/ports.ts";
import { Fixture, type OpenStore } from "../fixture.ts";
import { gpuMachine, moveOf, rentPod } from "./pod.ts";

function* portsFor(id: string, ports: number[], range: PortRange): Tx<PublicPorts | null> {
  return yield* takePorts((yield* lockPod(id))!, ports, range);
}

export function portConformance(open: OpenStore): void {
  test("no two Pods share a public port; a stopped Pod keeps its own, a forgotten Pod releases them", async (t) => {
    const { store, now } = await Fixture.set(open, t);
    await gpuMachine(store, "m", now);
    const range = { first: 20_000, last: 20_004 };
    const take = (id: string, ports: number[]) => store.write(portsFor, id, ports, range);
    for (const id of ["a", "b"]) await store.write(rentPod, id, now);
    const [a, b] = await Promise.all([take("a", [22, 70_000]), take("b", [22, 80])]);
    const drawn = [...Object.values(a ?? {}), ...Object.values(b ?? {})];
    assert.equal(new Set(drawn).size, 4);
    assert.deepEqual((await store.read(findPod, "a"))?.observed.portMappings, a);
    await store.write(moveOf, "a", "stop", now);
    assert.deepEqual(await take("a", [22, 70_000]), a);
    assert.equal((await take("b", [22, 80, 443])) === null, false);
    await store.write(rentPod, "c", now);
    assert.equal(await take("c", [22]), null);
    assert.deepEqual(await take("c", []), {});
    const less = await take("b", [80]);
    assert.deepEqual(less, { 80: b?.["80"] });
    assert.equal(Object.keys((await take("c", [22])) ?? {}).length, 1);
    await store.write(dropPorts, "c");
    assert.deepEqual((await store.read(findPod, "c"))?.observed.portMappings, {});
    await store.write(moveOf, "a", "delete", now);
    assert.equal(await take("c", [1, 2, 3, 4]), null);
    await store.write(forgetPod, "a");
    assert.equal(Object.keys((await take("c", [1, 2, 3, 4])) ?? {}).length, 4);
  });
}
