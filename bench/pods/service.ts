// The complete service on a new data folder, in this process, with one driver.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { type Up, up } from "../../src/app/boot/up.ts";
import { readConfig } from "../../src/config/config.ts";
import { type Subscription, topic } from "../../src/store/engine/notifier.ts";

export interface BenchService {
  machine: string;
  call<Result = never>(method: string, path: string, body?: object): Promise<Result>;
  /** Notifies of a Pod's change: polling would take a core from the measurement. */
  subscriptionTo(podId: string): Subscription;
  stop(): Promise<void>;
}

const MACHINE = { vcpus: 100_000, memoryInGb: 1_000_000, diskInGb: 1_000_000 };

export async function startService(driver: string, host: string | null): Promise<BenchService> {
  const data = mkdtempSync(path.join(tmpdir(), "freehold-bench-pods-"));
  const flags = { listen: "127.0.0.1:0", data, logLevel: "fatal", drivers: driver };
  const more = { machine: JSON.stringify(MACHINE), protocol: '{"endGraceMs": 200}' };
  const proxy = { proxyListen: "off" };
  const engine = host === null ? {} : { dockerHost: host };
  const running: Up = await up(
    readConfig({ ...flags, ...more, ...proxy, ...engine }, {}, data),
    process.env,
  );
  return {
    machine: running.service.replica.machine,
    async call(method, address, body) {
      const headers = {
        authorization: `Bearer ${running.cliKey}`,
        ...(body && { "content-type": "application/json" }),
      };
      const sent = body ? { body: JSON.stringify(body) } : {};
      const answer = await fetch(running.origin + address, { method, headers, ...sent });
      const text = await answer.text();
      if (!answer.ok) throw new Error(`${method} ${address}: ${answer.status} ${text}`);
      return (text === "" ? null : JSON.parse(text)) as never;
    },
    subscriptionTo: (podId) => running.service.store.notifier.subscribe(topic.pod(podId)),
    async stop() {
      await running.stop();
      rmSync(data, { recursive: true });
    },
  };
}
