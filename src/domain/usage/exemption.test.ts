import assert from "node:assert/strict";
import { test } from "node:test";
import { type Exemption, type ExemptSubject, exemptionOf, lasting } from "./exemption.ts";

const any: Exemption = {
  id: "x",
  kind: "pod",
  target: "p",
  until: null,
  reason: "r",
  byOperator: false,
  createdAt: 0,
  createdBy: null,
};
const subject: ExemptSubject = {
  id: "p",
  ownerId: "ada",
  projectId: "vision",
  labels: { team: "a=b" },
};

const tables: [kind: Exemption["kind"], target: string, holds: boolean][] = [
  ["pod", "p", true],
  ["pod", "q", false],
  ["member", "ada", true],
  ["member", "p", false],
  ["project", "vision", true],
  ["project", "", false],
  ["label", "team=a=b", true],
  ["label", "team=a", false],
  ["label", "a=b", false],
];
for (const [kind, target, holds] of tables) {
  test(`a Pod is ${holds ? "" : "not "}exempt by the ${kind} "${target}"`, () => {
    assert.equal(exemptionOf([{ ...any, kind, target }], subject) !== null, holds);
  });
}

test("a Pod without an owner, a project and labels is exempt by itself alone", () => {
  const bare = { id: "p", ownerId: null, projectId: null, labels: {} };
  const others = (["member", "project", "label"] as const).map((kind) => ({ ...any, kind }));
  assert.equal(exemptionOf([...others, { ...any, kind: "label", target: "p=" }], bare), null);
});

test("the operator's exemption holds before others, and of two the one that lasts longer", () => {
  const short = { ...any, id: "short", until: 5 };
  const long = { ...any, id: "long", until: 9 };
  const operators = { ...any, id: "operators", until: 1, byOperator: true };
  assert.equal(exemptionOf([short, any, long], subject)?.id, "x");
  assert.equal(exemptionOf([short, long], subject)?.id, "long");
  assert.equal(exemptionOf([any, operators, long], subject)?.id, "operators");
  assert.deepEqual(lasting([short, long, any], 5), [long, any]);
});
