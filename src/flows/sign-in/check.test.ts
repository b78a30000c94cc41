import assert from "node:assert/strict";
import { test } from "node:test";
import { VirtualClock } from "../../base/clock.ts";
import { Fault } from "../../domain/fault.ts";
import { type Confirmation, saveCheck } from "../../transactions/sign-in/check.ts";
import { type CheckDeps, checkSignIn } from "./check.ts";

test("a refresh token that the provider has renewed is stored once the store is back", async () => {
  const clock = new VirtualClock();
  const signIn = { id: "s", issuer: "i", subject: "u", refreshToken: "first", nextCheckAt: 0 };
  const saved: Confirmation[] = [];
  let outages = 3;
  const deps = {
    clock,
    protocol: { signInCheckMs: 300_000 },
    vault: { open: (text: string) => text, seal: (text: string) => text },
    provider: {
      settings: { issuer: "i", groups: [], defaultRole: "dev" },
      refresh: async () => ({ claims: {}, session: null, refreshToken: "second" }),
    },
    store: {
      async write(transaction: unknown, confirmation: Confirmation) {
        if (transaction !== saveCheck) return signIn;
        if (outages-- > 0) throw new Fault("store_unavailable");
        saved.push(confirmation);
        return null;
      },
    },
  } as unknown as CheckDeps;
  const checked = checkSignIn(deps, signIn as never);
  await clock.advance(2_000);
  assert.equal(await checked, null);
  assert.deepEqual(
    saved.map(({ refreshToken }) => refreshToken),
    ["second"],
  );
});
