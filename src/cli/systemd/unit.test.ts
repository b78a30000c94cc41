import assert from "node:assert/strict";
import { test } from "node:test";
import { unitText } from "./unit.ts";

const command = ["/usr/bin/node", "/opt/free hold/100%/freehold.mjs"];

test("a unit of the machine has a user of its own and the engine's group", () => {
  const text = unitText({ command, isUserUnit: false, engineGroup: "docker" });
  assert.match(text, /^ExecStart=\/usr\/bin\/node "\/opt\/free hold\/100%%\/freehold.mjs" up$/m);
  assert.match(text, /^User=freehold\nSupplementaryGroups=docker$/m);
  assert.match(text, /^ProtectSystem=strict$/m);
  assert.match(text, /^WantedBy=multi-user.target$/m);
  assert.doesNotMatch(
    unitText({ command, isUserUnit: false, engineGroup: null }),
    /SupplementaryGroups/,
  );
});

test("a unit of a user keeps its data in their home", () => {
  const text = unitText({ command, isUserUnit: true, engineGroup: "docker" });
  assert.match(text, /^Environment=FREEHOLD_DATA=%h\/.freehold$/m);
  assert.match(text, /^WantedBy=default.target$/m);
  assert.doesNotMatch(text, /^(?:User|SupplementaryGroups|ProtectSystem)=/m);
});
