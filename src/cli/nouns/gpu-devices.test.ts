// Tests of what the command line says of requests that wait for a machine.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { Machine } from "../../contract/rest-v1/machine/machine.ts";
import { waitReporter } from "./gpu-devices.ts";

test("a request that waits is said once, with how to cancel it where it can be", (t) => {
  const lines: string[] = [];
  t.mock.method(process.stderr, "write", (line: string) => lines.push(line) > 0);
  const report = waitReporter();
  const away = { online: false } as Machine;
  const request = {
    requestedAt: "2026-11-30T00:00:00.000Z",
    outcome: "pending" as const,
    text: "it waits for the machine, which is offline",
  };
  report("GPU-a", { online: true } as Machine, request);
  for (const _ of [1, 2]) report("GPU-a", away, { ...request, canBeCancelled: true });
  report("GPU-a", away, { ...request, text: `it was interrupted; ${request.text}` });
  t.mock.restoreAll();
  assert.deepEqual(lines, [
    `GPU-a: ${request.text}; \`freehold gpus cancel GPU-a\` cancels it\n`,
    `GPU-a: it was interrupted; ${request.text}\n`,
  ]);
});
