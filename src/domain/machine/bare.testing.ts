// A machine without anything worth renting, for tests.

import { type Inventory, nothing } from "./inventory.ts";

export const bareInventory: Inventory = { ...nothing, vcpus: 1, memoryMb: 1_024, diskGb: 1 };
