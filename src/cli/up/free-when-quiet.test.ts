import assert from "node:assert/strict";
import { test } from "node:test";
import { VirtualClock } from "../../base/clock.ts";
import { freeWhenQuiet } from "./free-when-quiet.ts";

const MB = 1_024 * 1_024;

/** A service whose event loop waits for a share of the time, and whose heap is what a test sets. */
function newService() {
  const clock = new VirtualClock();
  const service = { idleShare: 1, bytes: 100 * MB, usedBytes: 60 * MB, frees: 0 };
  let [idleMs, readAt] = [0, clock.ticks()];
  freeWhenQuiet(clock, {
    idleMs: () => {
      idleMs += service.idleShare * (clock.ticks() - readAt);
      readAt = clock.ticks();
      return idleMs;
    },
    bytes: () => service.bytes,
    free: () => {
      service.frees++;
      service.bytes = service.usedBytes;
    },
  });
  return { clock, service };
}

test("what the start has used is freed, and nothing more while the heap stays", async () => {
  const { clock, service } = newService();
  await clock.advance(2_999);
  assert.equal(service.frees, 0);
  await clock.advance(1);
  assert.equal(service.frees, 1);
  service.bytes = 91 * MB;
  await clock.advance(600_000);
  assert.equal(service.frees, 1);
});

test("what a burst leaves is freed once the service is quiet", async () => {
  const { clock, service } = newService();
  await clock.advance(10_000);
  Object.assign(service, { bytes: 300 * MB, idleShare: 0.4 });
  await clock.advance(60_000);
  assert.equal(service.frees, 1);
  service.idleShare = 0.9;
  await clock.advance(10_000);
  assert.equal(service.frees, 2);
  assert.equal(service.bytes, 60 * MB);
});

test("memory that comes back is freed once a minute", async () => {
  const { clock, service } = newService();
  await clock.advance(4_000);
  for (let n = 0; n < 60; n++) {
    service.bytes = 300 * MB;
    await clock.advance(5_000);
  }
  assert.equal(service.frees, 6);
});

test("a large heap is collected once it has grown by half", async () => {
  const { clock, service } = newService();
  service.usedBytes = 1_000 * MB;
  await clock.advance(4_000);
  service.bytes = 1_499 * MB;
  await clock.advance(600_000);
  assert.equal(service.frees, 1);
  service.bytes = 1_500 * MB;
  await clock.advance(5_000);
  assert.equal(service.frees, 2);
});
