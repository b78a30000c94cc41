// Starts the whole service for a test, in this process: real store, real sockets, short times where
// a test asks for them, a data folder of its own that is gone afterwards. FREEHOLD_TEST_STORE=postgres
// and FREEHOLD_TEST_REPLICAS=2 let the same tests meet two replicas on one database.

import { cpSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type { TestContext } from "node:test";
import { readConfig } from "../src/app/config.ts";
import { type Up, up } from "../src/app/up.ts";
import type { Clock } from "../src/base/clock.ts";
import { hashSecret, randomIds } from "../src/base/ids.ts";
import { defaultEndpoint } from "../src/domain/endpoint/defaults.ts";
import type { EndpointSpec } from "../src/domain/endpoint/endpoint.ts";
import { workloadOf } from "../src/domain/endpoint/release.ts";
import type { Protocol } from "../src/domain/protocol.ts";
import { defaultTemplate } from "../src/domain/template/defaults.ts";
import type { TemplateSpec } from "../src/domain/template/template.ts";
import { firstAccount } from "../src/store/account/account.ts";
import { insertEndpoint } from "../src/store/endpoint/endpoint.ts";
import { insertTemplate } from "../src/store/template/template.ts";
import { insertWorker, markStarted } from "../src/store/worker/worker.ts";
import { startBalancer } from "./balancer.ts";
import { conforms } from "./docs/conforms.ts";
import { keepExample } from "./docs/examples.ts";
import { TESTS_OWN_AGENT } from "./fidelity/witness.ts";
import { openGrounds } from "./grounds.ts";
import { undo } from "./undo.ts";

export interface TestHouse extends Up {
  key: string;
  dataFolder: string;
  /** Each by itself; the house's own origin leads to all in turn. */
  replicas: Up[];
  /** A request as an SDK sends it; a body that is no string is sent as JSON. */
  call(
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<Answer>;
  /** An endpoint with a template of its own; nothing here can run it unless it names a driver. */
  makeEndpoint(wanted?: {
    id?: string;
    template?: Partial<TemplateSpec>;
    spec?: Partial<EndpointSpec>;
  }): Promise<string>;
  /** A worker that exists for the protocol only: the test plays it. */
  makeWorker(endpointId: string): Promise<TestWorker>;
}

export interface TestWorker {
  id: string;
  key: string;
  /** GET or POST on one of its routes: `job-take`, `job-done/<job>`, `ping` ... */
  call(route: string, query?: string, body?: string, signal?: AbortSignal): Promise<Answer>;
}

export interface Answer {
  status: number;
  headers: Headers;
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: a test reads whatever came
  json: any;
}

export interface HouseOptions {
  protocol?: Partial<Protocol>;
  drivers?: string;
  env?: Record<string, string>;
  /** Keeps the data of an earlier house. */
  dataFolder?: string;
  /** A clock of the test's own. */
  clock?: Clock;
  /** So many replicas on PostgreSQL, or one house on SQLite, however the tests are run. */
  replicas?: number | null;
}

export async function startHouse(t: TestContext, options: HouseOptions = {}): Promise<TestHouse> {
  const dataFolder = options.dataFolder ?? newDataFolder();
  const ups: Up[] = [];
  for (const { folder, flags } of await openGrounds(t, dataFolder, options.replicas)) {
    const config = readConfig(
      {
        listen: "127.0.0.1:0",
        data: folder,
        logLevel: "fatal",
        protocol: JSON.stringify({ drainMs: 2_000, ...options.protocol }),
        drivers: options.drivers ?? "fake",
        ...flags,
      },
      options.env ?? {},
      dataFolder,
    );
    const replica = await up(config, process.env, options.clock);
    undo(t, replica.stop);
    ups.push(replica);
  }
  const running = await behindOneOrigin(ups);
  undo(t, running.stop);
  return { ...running, key: running.cliKey, dataFolder, replicas: ups, ...toolsOf(running) };
}

/** Another run of the tests may have left the data that every house begins with. */
function newDataFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), "freehold-test-"));
  const used = process.env.FREEHOLD_TEST_DATA;
  if (used) cpSync(used, folder, { recursive: true });
  return folder;
}

/** Several replicas look like one: the first's insides, and an origin that leads to all in turn. */
async function behindOneOrigin(ups: Up[]): Promise<Up> {
  const [first] = ups;
  if (ups.length === 1) return first!;
  const balancer = await startBalancer(() => ups.map(({ origin }) => origin));
  return {
    ...first!,
    origin: balancer.origin,
    async stop() {
      await Promise.all(ups.map((each) => each.stop()));
      await balancer.close();
    },
  };
}

export function toolsOf(running: Up) {
  const { house, origin, cliKey } = running;
  const call: TestHouse["call"] = async (method, address, body, headers = {}) => {
    const authorization = `Bearer ${cliKey}`;
    const answer = await request(origin + address, method, body, { authorization, ...headers });
    const operation = conforms(method, address, answer);
    if (operation) keepExample(operation, body, answer.json);
    return answer;
  };
  return {
    call,
    makeEndpoint: async (wanted: Parameters<TestHouse["makeEndpoint"]>[0] = {}) => {
      const now = Date.now();
      const id = wanted.id ?? randomIds.short(14);
      const account = await house.store.read(firstAccount);
      const spec = { ...defaultTemplate("test"), isServerless: true, ...wanted.template };
      const template = {
        id: randomIds.short(10),
        accountId: account!.id,
        name: id,
        createdAt: now,
      };
      await house.store.write(insertTemplate, { ...template, spec });
      const endpoint = defaultEndpoint(id, account!.id, template.id, now);
      const workload = workloadOf(spec, { networkVolumeIds: wanted.spec?.networkVolumeIds ?? [] });
      const release = { endpointId: id, version: 1, workload, reason: "test" };
      await house.store.write(
        insertEndpoint,
        {
          ...endpoint,
          spec: { ...endpoint.spec, workersMax: 50, idleTimeout: 3_600, ...wanted.spec },
        },
        { ...release, createdAt: now },
      );
      return id;
    },
    makeWorker: (endpointId: string) => makeWorker(running, endpointId),
  };
}

/** Its driver is one that does not exist, so no loop looks for it. */
async function makeWorker({ house, origin }: Up, endpointId: string): Promise<TestWorker> {
  const id = randomIds.short(14);
  const key = randomIds.secret("fhw_");
  const worker = {
    id,
    endpoint_id: endpointId,
    version: 1,
    machine: house.replica.machine,
    driver: "played",
  };
  await house.store.write(insertWorker, worker, hashSecret(key), Date.now());
  await house.store.write(markStarted, id, Date.now());
  return {
    id,
    key,
    call(route, query = "", body, signal) {
      const [operation, ...rest] = route.split("/");
      const address = [`${origin}/v2/${endpointId}`, operation, id, ...rest].join("/");
      const headers = {
        authorization: key,
        ...(body !== undefined && { "content-type": "application/x-www-form-urlencoded" }),
      };
      const method = body === undefined ? "GET" : "POST";
      return request(`${address}${query}`, method, body, headers, signal);
    },
  };
}

async function request(
  url: string,
  method: string,
  body: unknown,
  headers: Record<string, string>,
  signal?: AbortSignal,
): Promise<Answer> {
  const hasBody = body !== undefined;
  const response = await fetch(url, {
    method,
    headers: {
      "user-agent": TESTS_OWN_AGENT,
      ...(hasBody && typeof body !== "string" && { "content-type": "application/json" }),
      ...headers,
    },
    ...(hasBody && { body: typeof body === "string" ? body : JSON.stringify(body) }),
    ...(signal && { signal }),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, json: parsed(text) };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
