import assert from "node:assert/strict";
import { test } from "node:test";
import { type IdleRule, usualIdleRule } from "./idle.ts";
import { idlePolicyOf, type OwnIdleRule, readProjectIdleRule } from "./idle-policy.ts";

const rule: IdleRule = { minutes: 60, ...usualIdleRule };
const shared = { rule, project: "vision" };

interface Others {
  mayOptOut?: boolean;
  sandbox?: boolean;
  cluster?: object | null;
}

const policyOf = (
  stopWhenIdle: OwnIdleRule | null,
  { mayOptOut = true, sandbox = false, cluster = null }: Others = {},
) =>
  idlePolicyOf({
    cluster,
    desired: { stopWhenIdle, spec: { sandbox } },
    projectIdle: { ...shared, mayOptOut },
  });

test("a Pod's own rule goes before its project's, which sandboxes and members of clusters do not follow", () => {
  const own = { ...rule, minutes: 600 };
  assert.deepEqual(policyOf(own), { rule: own, project: null });
  assert.deepEqual(policyOf(null), shared);
  assert.equal(policyOf("never"), null);
  assert.deepEqual(
    [policyOf(null, { sandbox: true }), policyOf(null, { cluster: {} })],
    [null, null],
  );
});

const changes: [what: string, own: OwnIdleRule, isOwn: boolean][] = [
  ["never", "never", false],
  ["a later stop", { ...rule, minutes: 61 }, false],
  ["less load that counts as use", { ...rule, gpuPercent: 4 }, false],
  ["less traffic that counts as use", { ...rule, networkBytesPerSecond: 0 }, false],
  ["an earlier stop", { ...rule, minutes: 5 }, true],
  ["more load that counts as idle", { ...rule, cpuPercent: 50 }, true],
];
for (const [what, own, isOwn] of changes) {
  test(`where none opts out, ${what} ${isOwn ? "holds" : "does not hold"}`, () => {
    const policy = isOwn ? { rule: own, project: null } : shared;
    assert.deepEqual(policyOf(own, { mayOptOut: false }), policy);
  });
}

test("a rule that was stored without the switch lets Pods opt out", () => {
  assert.deepEqual(readProjectIdleRule(JSON.stringify(rule)), { ...rule, mayOptOut: true });
});
