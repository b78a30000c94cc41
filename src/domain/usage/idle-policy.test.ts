import assert from "node:assert/strict";
import { test } from "node:test";
import { type IdleRule, usualIdleRule } from "./idle.ts";
import { idlePolicyOf, type OwnIdleRule, readProjectIdleRule } from "./idle-policy.ts";

const rule: IdleRule = { minutes: 60, ...usualIdleRule };
const shared = { rule, from: "project", project: "vision" } as const;
const ownPolicy = (own: IdleRule) => ({ rule: own, from: "pod", project: null });

interface Others {
  mayOptOut?: boolean;
  sandbox?: boolean;
  cluster?: object | null;
  templateIdle?: IdleRule | null;
}

const policyOf = (
  stopWhenIdle: OwnIdleRule | null,
  { mayOptOut = true, sandbox = false, cluster = null, templateIdle = null }: Others = {},
) =>
  idlePolicyOf({
    cluster,
    desired: { stopWhenIdle, spec: { sandbox, templateIdle } },
    exemption: null,
    projectIdle: { rule, project: "vision", mayOptOut },
  });

test("a Pod's own rule goes before its project's, which sandboxes and members of clusters do not follow", () => {
  const own = { ...rule, minutes: 600 };
  assert.deepEqual(policyOf(own), ownPolicy(own as IdleRule));
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
    const policy = isOwn ? ownPolicy(own as IdleRule) : shared;
    assert.deepEqual(policyOf(own, { mayOptOut: false }), policy);
  });
}

test("a template's rule goes between the Pod's own and its project's", () => {
  const templateIdle = { ...rule, minutes: 90 };
  const ofTemplate = { rule: templateIdle, from: "template", project: null };
  assert.deepEqual(policyOf(null, { templateIdle }), ofTemplate);
  assert.equal(policyOf("never", { templateIdle }), null);
  assert.deepEqual(policyOf(null, { templateIdle, mayOptOut: false }), shared);
  for (const alone of [{ sandbox: true }, { cluster: {} }])
    assert.equal(policyOf(null, { templateIdle, ...alone }), null);
});

test("a rule that was stored without the switch lets Pods opt out", () => {
  assert.deepEqual(readProjectIdleRule(JSON.stringify(rule)), { ...rule, mayOptOut: true });
});
