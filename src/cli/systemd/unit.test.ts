import assert from "node:assert/strict";
import { test } from "node:test";
import { unitText } from "./unit.ts";

const command = ["/usr/bin/node", "/opt/free hold/100%/freehold.mjs"];

test("a unit of the machine has a user of its own and the engine's group", () => {
  const text = unitText({ command, isUserUnit: false, engineGroup: "docker", hasGpus: false });
  assert.match(text, /^ExecStart=\/usr\/bin\/node "\/opt\/free hold\/100%%\/freehold.mjs" up$/m);
  assert.match(text, /^User=freehold\nSupplementaryGroups=docker$/m);
  assert.match(text, /^ProtectSystem=strict$/m);
  assert.match(text, /^WantedBy=multi-user.target$/m);
  assert.doesNotMatch(
    unitText({ command, isUserUnit: false, engineGroup: null, hasGpus: false }),
    /SupplementaryGroups/,
  );
});

test("a unit of a user keeps its data in their home", () => {
  const text = unitText({ command, isUserUnit: true, engineGroup: "docker", hasGpus: false });
  assert.match(text, /^Environment=FREEHOLD_DATA=%h\/.freehold$/m);
  assert.match(text, /^WantedBy=default.target$/m);
  assert.doesNotMatch(text, /^(?:User|SupplementaryGroups|ProtectSystem)=/m);
});

test("a unit of a machine with GPUs may read the kernel log, and no other may", () => {
  const request = { command, isUserUnit: false, engineGroup: null };
  const unit = unitText({ ...request, hasGpus: true });
  assert.doesNotMatch(unit, /ProtectKernelLogs/);
  assert.match(unit, /^CapabilityBoundingSet=CAP_SYSLOG\nAmbientCapabilities=CAP_SYSLOG$/m);
  assert.match(unitText({ ...request, hasGpus: false }), /^ProtectKernelLogs=yes$/m);
  assert.doesNotMatch(unitText({ ...request, hasGpus: false }), /CAP_SYSLOG/);
  assert.doesNotMatch(unitText({ ...request, isUserUnit: true, hasGpus: true }), /CAP_SYSLOG/);
});
