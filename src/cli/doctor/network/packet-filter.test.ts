import assert from "node:assert/strict";
import { test } from "node:test";
import { type PacketVerdict, verdictOf } from "./packet-filter.ts";

const cases: [what: string, rules: string[], expected: PacketVerdict][] = [
  ["an open policy accepts", ["-P INPUT ACCEPT"], "accept"],
  ["a closed policy drops", ["-P INPUT DROP", "-A INPUT -i lo -j ACCEPT"], "drop"],
  [
    "a rule for the port accepts",
    ["-P INPUT DROP", "-A INPUT -p tcp -m tcp --dport 8700:8703 -j ACCEPT"],
    "accept",
  ],
  [
    "a rule for other ports does not",
    ["-P INPUT DROP", "-A INPUT -p tcp -m multiport --dports 22,80 -j ACCEPT"],
    "drop",
  ],
  [
    "the first rule that matches decides",
    ["-P INPUT ACCEPT", "-A INPUT -p tcp -j REJECT --reject-with tcp-reset", "-A INPUT -j ACCEPT"],
    "drop",
  ],
  [
    "established connections are not new ones",
    ["-P INPUT DROP", "-A INPUT -m conntrack --ctstate RELATED,ESTABLISHED -j ACCEPT"],
    "drop",
  ],
  [
    "a rule for some callers leaves it open",
    ["-P INPUT DROP", "-A INPUT -s 10.0.0.0/8 -p tcp -m tcp --dport 8700 -j ACCEPT"],
    "unknown",
  ],
  ["a negated interface", ["-P INPUT ACCEPT", "-A INPUT ! -i docker0 -p tcp -j DROP"], "drop"],
  [
    "a chain goes on, and returns",
    [
      "-P INPUT DROP",
      "-N user",
      "-A INPUT -j user",
      "-A INPUT -p tcp -j ACCEPT",
      "-A user -p udp -j DROP",
      "-A user -p tcp -j RETURN",
      "-A user -j DROP",
    ],
    "accept",
  ],
  [
    "ufw without a rule for the port",
    [
      "-P INPUT DROP",
      "-N ufw-before-input",
      "-N ufw-user-input",
      "-A INPUT -j ufw-before-input",
      "-A ufw-before-input -i lo -j ACCEPT",
      "-A ufw-before-input -j ufw-user-input",
      "-A ufw-user-input -p tcp -m tcp --dport 22 -j ACCEPT",
    ],
    "drop",
  ],
  ["no rules at all", [""], "unknown"],
];
for (const [what, rules, expected] of cases) {
  test(`${what}: ${expected}`, () => {
    assert.equal(verdictOf(rules.join("\n"), 8_700, "eth0"), expected);
  });
}
