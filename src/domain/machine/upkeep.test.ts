import assert from "node:assert/strict";
import { test } from "node:test";
import { closedFor, type Upkeep } from "./upkeep.ts";

const none: Upkeep = {
  draining: false,
  maintenanceStart: null,
  maintenanceEnd: null,
  maintenanceNote: null,
  gpuCordons: {},
  sharedGpus: {},
};
const rows: [name: string, upkeep: Partial<Upkeep>, closed: string | null][] = [
  ["as it is", {}, null],
  ["being drained", { draining: true }, "it is being drained"],
  ["before its maintenance", { maintenanceStart: 101, maintenanceEnd: 200 }, null],
  ["in its first moment", { maintenanceStart: 100, maintenanceEnd: 200 }, "it is in maintenance"],
  ["in its last moment", { maintenanceStart: 1, maintenanceEnd: 101 }, "it is in maintenance"],
  ["after it", { maintenanceStart: 1, maintenanceEnd: 100 }, null],
  ["in one without an end", { maintenanceStart: 1 }, "it is in maintenance"],
];

for (const [name, upkeep, closed] of rows) {
  test(`a machine ${name} is ${closed === null ? "open" : "closed"}`, () => {
    assert.equal(closedFor({ ...none, ...upkeep }, 100), closed);
  });
}
