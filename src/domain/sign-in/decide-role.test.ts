// The role that claims give: paths, prefixes, several groups, and claims that are missing.

import assert from "node:assert/strict";
import { test } from "node:test";
import { decideRole, groupsIn } from "./decide-role.ts";
import type { RoleSettings } from "./oidc-settings.ts";
import { personIn } from "./person.ts";

const rule = (
  group: string,
  role: "basic" | "billing" | "member" | "dev" | "admin",
  account = null as string | null,
) => ({
  group,
  role,
  account,
});

const settings: RoleSettings = {
  groupsClaim: "groups",
  groupsPrefix: "",
  groups: [
    rule("ml", "dev"),
    rule("all", "basic"),
    rule("heads", "admin"),
    rule("money", "billing"),
    rule("guests", "member"),
  ],
  defaultRole: null,
};

test("the groups are at a name or at a path", () => {
  assert.deepEqual(groupsIn({ groups: ["a", 1, "b"] }, "groups"), ["a", "b"]);
  assert.deepEqual(groupsIn({ realm_access: { roles: ["a"] } }, "realm_access.roles"), ["a"]);
  assert.deepEqual(
    groupsIn({ "https://example.org/groups": ["a"] }, "https://example.org/groups"),
    ["a"],
  );
  assert.deepEqual(groupsIn({ hd: "example.org" }, "hd"), ["example.org"]);
  assert.deepEqual(groupsIn({ groups: [] }, "groups"), []);
  for (const claims of [{}, { groups: 7 }, { groups: null }, { groups: { a: ["b"] } }]) {
    assert.equal(groupsIn(claims, "groups"), null);
  }
  assert.equal(groupsIn({}, "constructor.name"), null, "what every object has is no claim");
});

test("the strongest role wins, and roles that exclude each other conflict", () => {
  const decide = (...groups: string[]) => decideRole(settings, { groups });
  assert.deepEqual(decide("all", "ml"), { kind: "role", account: null, role: "dev" });
  assert.deepEqual(decide("all", "ml", "money", "heads"), {
    kind: "role",
    account: null,
    role: "admin",
  });
  assert.deepEqual(decide("ml", "other"), { kind: "role", account: null, role: "dev" });
  assert.deepEqual(decide("ML"), { kind: "none" });
  assert.deepEqual(decide(), { kind: "none" });
  assert.equal((decide("guests", "ml") as { role: string }).role, "dev");
  assert.equal((decide("guests", "heads") as { role: string }).role, "admin");
  for (const other of ["all", "money"]) assert.equal(decide("guests", other).kind, "conflict");
  const conflict = decide("money", "ml", "all");
  assert.deepEqual(conflict, {
    kind: "conflict",
    first: rule("ml", "dev"),
    second: rule("money", "billing"),
  });
});

test("a prefix limits which groups count", () => {
  const decide = (...groups: string[]) =>
    decideRole({ ...settings, groupsPrefix: "/team/" }, { groups });
  assert.deepEqual(decide("/team/ml"), { kind: "role", account: null, role: "dev" });
  assert.deepEqual(decide("ml", "/other/ml", "/team/team/ml"), { kind: "none" });
});

test("the first rule that applies names the account", () => {
  const groups = [rule("a", "basic", "lab"), rule("b", "admin"), rule("c", "dev", "lab")];
  const decide = (...names: string[]) => decideRole({ ...settings, groups }, { groups: names });
  assert.deepEqual(decide("c", "b", "a"), { kind: "role", account: "lab", role: "dev" });
  assert.deepEqual(decide("b", "c"), { kind: "role", account: null, role: "admin" });
});

test("a claim that is missing differs from an empty list", () => {
  assert.deepEqual(decideRole(settings, {}), { kind: "unknown", isOverage: false });
  for (const sign of [{ _claim_names: { groups: "src1" } }, { hasgroups: true }]) {
    assert.deepEqual(decideRole(settings, sign), { kind: "unknown", isOverage: true });
  }
  const open = { ...settings, defaultRole: "basic" } as const;
  assert.deepEqual(decideRole(open, { groups: [] }), {
    kind: "role",
    account: null,
    role: "basic",
  });
  assert.deepEqual(decideRole({ ...open, groups: [] }, {}), {
    kind: "role",
    account: null,
    role: "basic",
  });
});

test("a person has an address that can be one, and it counts as verified only if the provider says so", () => {
  assert.deepEqual(personIn({ email: "Ada@Example.org", email_verified: true, name: "Ada\nL" }), {
    email: "ada@example.org",
    isEmailVerified: true,
    name: "Ada L",
  });
  for (const verified of [undefined, false, "true", 1]) {
    const { isEmailVerified } = personIn({ email: "a@b", email_verified: verified });
    assert.equal(isEmailVerified, false);
  }
  const upn = { preferred_username: "ada@example.org", email_verified: true };
  assert.deepEqual(personIn(upn), {
    email: "ada@example.org",
    isEmailVerified: false,
    name: "ada@example.org",
  });
  for (const email of ["ada", "a b@c", "a@b@c", 7, "", `${"a".repeat(200)}@b`]) {
    assert.equal(personIn({ email, email_verified: true }).email, null);
  }
});
