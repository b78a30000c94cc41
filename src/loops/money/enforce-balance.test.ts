// Tests that what the loops stop and remove for an account is decided on what the account is at that moment.

import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { type TestContext, test } from "node:test";
import { Fixture } from "../../../test/conformance/store/fixture.ts";
import { gpuMachine, rentPod } from "../../../test/conformance/store/pod/pod.ts";
import { actAfterRead } from "../../../test/fixtures/loops/act-after-read.ts";
import { VirtualClock } from "../../base/clock.ts";
import { findManaged, saveAccount } from "../../store/account/account.ts";
import { prepaid } from "../../store/account/prepaid.ts";
import { openSqlite } from "../../store/engine/sqlite/open.ts";
import type { Store } from "../../store/engine/store.ts";
import { findPod, podsOf } from "../../store/pod/row.ts";
import { giveCredit } from "../../transactions/money/give-credit.ts";
import { standingOf } from "../../transactions/money/standing.ts";
import { PartialFailure } from "../engine/loop.ts";
import { enforceBalanceLoop } from "./enforce-balance.ts";
import { stopDisabledLoop } from "./stop-disabled.ts";

const silent = { info() {}, warn() {}, error() {} };
const GRACE_MS = 60_000;

async function withPod(t: TestContext) {
  const folder = mkdtempSync(path.join(tmpdir(), "freehold-balance-"));
  const { store, now } = await Fixture.set(
    async () => openSqlite(path.join(folder, "freehold.db")),
    t,
  );
  t.after(async () => {
    await store.close();
    rmSync(folder, { recursive: true });
  });
  await gpuMachine(store, "m", now);
  await store.write(rentPod, "p", now);
  const clock = new VirtualClock(now);
  const credit = (micros: number) =>
    store.write(giveCredit, { accountId: "account", micros, note: "" }, clock.now());
  const enforce = async (by: Store) => {
    const protocol = { emptyGraceMs: GRACE_MS, lowBalanceMs: 0 };
    await enforceBalanceLoop({ store: by, clock, log: silent, protocol }).run();
  };
  const stateOf = async () => (await store.read(findPod, "p"))?.desired.state;
  return { store, clock, credit, enforce, stateOf };
}

test("credits that come after the pass has read the balance keep the Pod running", async (t) => {
  const { store, credit, enforce, stateOf } = await withPod(t);
  await credit(-1);
  await enforce(store);
  await enforce(actAfterRead(store, podsOf, () => credit(5_000_000)));
  assert.equal(await stateOf(), "RUNNING");
});

test("a Pod that cannot be stopped does not keep the others running", async (t) => {
  const { store, clock, credit, enforce } = await withPod(t);
  for (const id of ["a", "z"]) await store.write(rentPod, id, clock.now());
  await credit(-1);
  await enforce(store);
  const failing = {
    read: store.read.bind(store),
    write: (transaction: never, ...args: never[]) =>
      (args as unknown[])[0] === "p"
        ? Promise.reject(new Error("it cannot be stopped"))
        : store.write(transaction, ...args),
  } as unknown as Store;
  await assert.rejects(enforce(failing), PartialFailure);
  const states = (await store.read(podsOf, "account")).map(({ id, desired }) => [
    id,
    desired.state,
  ]);
  assert.deepEqual(states.sort(), [
    ["a", "EXITED"],
    ["p", "RUNNING"],
    ["z", "EXITED"],
  ]);
});

test("credits that come at the end of the grace period keep the stopped Pod", async (t) => {
  const { store, clock, credit, enforce, stateOf } = await withPod(t);
  await credit(-1);
  await enforce(store);
  await enforce(store);
  assert.equal(await stateOf(), "EXITED");
  await clock.advance(GRACE_MS);
  await enforce(actAfterRead(store, podsOf, () => credit(5_000_000)));
  assert.equal(await stateOf(), "EXITED");
  await credit(-5_000_000);
  await enforce(store);
  assert.notEqual(await stateOf(), "EXITED", "without them it is removed");
});

test("a balance that is spent again begins a grace period of its own", async (t) => {
  const { store, clock, credit, enforce, stateOf } = await withPod(t);
  await credit(-1);
  await enforce(store);
  await enforce(store);
  await clock.advance(GRACE_MS);
  const spendAgain = async () => {
    await credit(5_000_000);
    await enforce(store);
    await credit(-5_000_000);
    await enforce(store);
  };
  await enforce(actAfterRead(store, podsOf, spendAgain));
  assert.equal(await stateOf(), "EXITED");
  await clock.advance(GRACE_MS);
  await enforce(store);
  assert.notEqual(await stateOf(), "EXITED");
});

test("credits that come after the pass has read the balance announce no spent balance", async (t) => {
  const { store, credit, enforce } = await withPod(t);
  await credit(-1);
  await enforce(actAfterRead(store, standingOf, () => credit(5_000_000)));
  assert.equal((await store.read(prepaid, "account"))?.emptySince, null);
});

test("an account that is enabled after the pass has read it keeps its Pod running", async (t) => {
  const { store, clock, stateOf } = await withPod(t);
  const save = async (disabledAt: number | null) => {
    const account = (await store.read(findManaged, "account"))!;
    await store.write(saveAccount, { ...account, disabledAt });
  };
  await save(clock.now());
  await stopDisabledLoop({ store: actAfterRead(store, podsOf, () => save(null)), clock }).run();
  assert.equal(await stateOf(), "RUNNING");
  await save(clock.now());
  await stopDisabledLoop({ store, clock }).run();
  assert.equal(await stateOf(), "EXITED");
});
