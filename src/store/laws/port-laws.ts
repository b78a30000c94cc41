// Public ports of a machine's Pods: each is one Pod's, for as long as there is anything of it.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { PortRange, PublicPorts } from "../../domain/pod/ports.ts";
import { dropPorts, takePorts } from "../pod/ports.ts";
import { findPod, lockPod } from "../pod/row.ts";
import { forgetPod } from "../pod/seen.ts";
import type { Verb } from "../statement.ts";
import { gpuMachine, moveOf, rentPod } from "./pod-laws.ts";
import { type OpenStore, Stage } from "./stage.ts";

function* portsFor(id: string, asked: number[], range: PortRange): Verb<PublicPorts | null> {
  return yield* takePorts((yield* lockPod(id))!, asked, range);
}

export function portLaws(open: OpenStore): void {
  test("no public port is two Pods', a stopped Pod keeps its own, a forgotten one leaves them", async (t) => {
    const { store, now } = await Stage.set(open, t);
    await gpuMachine(store, "m", now);
    const range = { first: 20_000, last: 20_004 };
    const take = (id: string, asked: number[]) => store.write(portsFor, id, asked, range);
    for (const id of ["a", "b"]) await store.write(rentPod, id, now);
    const [a, b] = await Promise.all([take("a", [22, 70_000]), take("b", [22, 80])]);
    const given = [...Object.values(a ?? {}), ...Object.values(b ?? {})];
    assert.equal(new Set(given).size, 4);
    assert.deepEqual((await store.read(findPod, "a"))?.portMappings, a);
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
    assert.deepEqual((await store.read(findPod, "c"))?.portMappings, {});
    await store.write(moveOf, "a", "delete", now);
    assert.equal(await take("c", [1, 2, 3, 4]), null);
    await store.write(forgetPod, "a");
    assert.equal(Object.keys((await take("c", [1, 2, 3, 4])) ?? {}).length, 4);
  });
}
