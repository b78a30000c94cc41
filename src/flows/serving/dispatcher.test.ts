// Tests of how a dispatcher reads the workers of its endpoints from a slow store.

import assert from "node:assert/strict";
import { test } from "node:test";
import { VirtualClock } from "../../base/clock.ts";
import type { Endpoint } from "../../domain/endpoint/endpoint.ts";
import { topic } from "../../store/engine/notifier.ts";
import type { Store } from "../../store/engine/store.ts";
import { Dispatcher, type DispatcherDeps } from "./dispatcher.ts";

const MINUTE = 60_000;

function slowStore() {
  const listeners = new Map<string, () => void>();
  const reads: (() => void)[] = [];
  const store = {
    notifier: {
      on(name: string, listener: () => void) {
        listeners.set(name, listener);
        return () => listeners.delete(name);
      },
    },
    read: () =>
      new Promise((resolve) => {
        const endpoint = { id: "e", spec: { workersMax: 1 } } as Endpoint;
        reads.push(() => resolve({ endpoint, workers: [], elsewhere: [] }));
      }),
    write: async () => {},
  } as unknown as Store;
  return {
    store,
    notify: () => listeners.get(topic.serving)!(),
    /** How many reads there were, each answered when it was asked. */
    async answerAll(): Promise<number> {
      let count = 0;
      await settled();
      for (let read = reads.shift(); read; read = reads.shift()) {
        read();
        count++;
        await settled();
      }
      return count;
    },
  };
}

const settled = () => new Promise(setImmediate);

function open() {
  const clock = new VirtualClock();
  const slow = slowStore();
  const protocol = { requestWaitMs: MINUTE, affinityWaitMs: MINUTE, maxHeldRequests: 9 };
  const deps = { store: slow.store, clock, replicaId: "r", protocol } as unknown as DispatcherDeps;
  return { ...slow, clock, dispatcher: new Dispatcher(deps) };
}

test("changes that come faster than the store answers are read together", async (t) => {
  const { dispatcher, notify, answerAll, clock } = open();
  t.after(() => dispatcher.close());
  const worker = dispatcher.readyWorker("e");
  await settled();
  for (let n = 0; n < 100; n++) notify();
  await clock.advance(10_000);
  assert.equal(await answerAll(), 2);
  assert.equal(await worker, null);
  notify();
  assert.equal(await answerAll(), 1);
});

test("an endpoint that is asked for as it is forgotten is known once the store has answered", async (t) => {
  const { dispatcher, notify, answerAll, clock } = open();
  t.after(() => dispatcher.close());
  const first = dispatcher.readyWorker("e");
  await settled();
  await clock.advance(2 * MINUTE); // nothing has used it since
  notify();
  const endpoint = { id: "e", spec: { workersMax: 1 } } as Endpoint;
  const signal = () => new AbortController().signal;
  const lease = dispatcher.lease({ endpoint, affinity: { kind: "any" }, signal });
  const held = Promise.resolve(lease);
  held.catch(() => {});
  await answerAll();
  await first;
  dispatcher.close();
  await assert.rejects(held, /is stopping/);
});
