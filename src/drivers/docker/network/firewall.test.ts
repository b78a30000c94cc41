// Tests of the firewall rules, with a simulated iptables that knows chains and jumps.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { Run } from "../../machine/run.ts";
import { applyRules, removeRules } from "./firewall.ts";

function simulatedTables() {
  const chains = new Map<string, string[]>([
    ["INPUT", ["-i eth0 -j ACCEPT"]],
    ["DOCKER-USER", []],
  ]);
  const run: Run = async (program, [, change, chain = "", ...rule], input = "") => {
    if (program === "iptables-restore") {
      for (const [, name] of input.matchAll(/^:(\S+)/gm)) chains.set(name!, ["rules"]);
      return "";
    }
    const rules = chains.get(chain);
    const at = rules?.indexOf(rule.join(" ")) ?? -1;
    const isUsed = [...chains.values()].flat().some((each) => each.endsWith(` ${chain}`));
    if (!rules || (/-[CD]/.test(change!) && at < 0)) throw new Error("no such rule");
    if (change === "-I") rules.unshift(rule.join(" "));
    if (change === "-D") rules.splice(at, 1);
    if (change === "-F") rules.length = 0;
    if (change === "-X" && (isUsed || rules.length > 0)) throw new Error("the chain is in use");
    if (change === "-X") chains.delete(chain);
    return "";
  };
  return { chains, run };
}

test("the rules of an installation are removed with their chains, and nothing else is", async () => {
  const { chains, run } = simulatedTables();
  const before = structuredClone(chains);
  await applyRules(run, { bridgePrefix: "fhother", ports: [8_700], bridges: null });
  const others = structuredClone(chains);
  assert.equal(
    await applyRules(run, { bridgePrefix: "fh12345", ports: [8_700], bridges: null }),
    null,
  );
  assert.equal(chains.size, others.size + 2);
  await removeRules(run, "fh12345");
  assert.deepEqual(chains, others);
  await removeRules(run, "fhother");
  await removeRules(run, "fhother");
  assert.deepEqual(chains, before);
});
