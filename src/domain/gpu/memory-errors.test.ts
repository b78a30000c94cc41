import assert from "node:assert/strict";
import { test } from "node:test";
import { applyMemoryErrors, type MemoryErrors } from "./memory-errors.ts";

test("a rise of a counter puts the GPU in quarantine", () => {
  const rows: [before: MemoryErrors | null, after: MemoryErrors, limit: number, code?: string][] = [
    [null, { recent: 5, lifetime: 9 }, 1],
    [{ recent: 0, lifetime: 4 }, { recent: 0, lifetime: 4 }, 1],
    [{ recent: 0, lifetime: 4 }, { recent: 1, lifetime: 5 }, 1, "ecc_uncorrectable"],
    [{ recent: 0, lifetime: null }, { recent: 1, lifetime: null }, 1, "ecc_uncorrectable"],
    [{ recent: 0, lifetime: 4 }, { recent: 1, lifetime: 5 }, 2],
    // After a reset, and one in which another error came
    [{ recent: 3, lifetime: 4 }, { recent: 0, lifetime: 4 }, 1],
    [{ recent: 3, lifetime: 4 }, { recent: 0, lifetime: 5 }, 1, "ecc_uncorrectable"],
    [{ recent: 3, lifetime: 4 }, { recent: null, lifetime: null }, 1],
  ];
  for (const [before, after, limit, code] of rows) {
    const memoryErrors: Record<string, MemoryErrors> = before ? { "GPU-a": before } : {};
    const outcome = applyMemoryErrors({ memoryErrors }, { "GPU-a": after }, { at: 7, limit });
    assert.deepEqual(
      outcome.quarantined.map(([uuid, quarantine]) => [uuid, quarantine.code, quarantine.at]),
      code ? [["GPU-a", code, 7]] : [],
    );
    assert.equal(outcome.health.quarantines?.["GPU-a"]?.code, code);
    assert.deepEqual(outcome.health.memoryErrors, { "GPU-a": after });
    // It is in quarantine already
    const more = { "GPU-a": { recent: 90, lifetime: 90 } };
    const again = applyMemoryErrors(outcome.health, more, { at: 8, limit });
    if (code) assert.deepEqual(again.quarantined, []);
  }
});
