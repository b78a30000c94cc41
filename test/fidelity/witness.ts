// Records the operations that an unmodified public client used successfully, and fails if one
// recorded earlier stops working: test/fidelity/proven/ has a list per client, and docs/fidelity.md
// is generated from them. With FREEHOLD_WITNESS=write the lists are written instead; existing ones
// only shrink.

import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import path from "node:path";
import type { TestContext } from "node:test";
import type { ResponseWriter } from "../../src/edge/http/plain/exchange.ts";
import { documentedPath, RouteTable } from "../fixtures/routes.ts";
import type { TestService } from "../fixtures/service/service.ts";
import { onPlainRequest } from "../fixtures/service/watch-requests.ts";
import { provenRoots } from "./graphql-roots.ts";
import { WORKER_ROUTES } from "./operations.ts";

/** The user agents of the tests' own requests, which prove no client. */
export const TESTS_OWN_AGENT = "freehold-tests";

const folder = path.join(import.meta.dirname, "proven");

/** The operations that each test has recorded, by client. */
export interface Proven {
  client: string;
  tests: Record<string, string[]>;
  /** The tests with a container engine. */
  withEngine: string[];
}

export function readProven(): Proven[] {
  const names = readdirSync(folder).filter((name) => name.endsWith(".json"));
  return names.sort().map((name) => JSON.parse(readFileSync(path.join(folder, name), "utf8")));
}

/** Records until the end of the test; two files with tests of one client are not written at the same time. */
export function witness(t: TestContext, service: TestService, client: string): void {
  const routesUsed = new Set<string>();
  const routes = new RouteTable(
    service.service.routes.map(({ method, path: pattern }) => ({
      method,
      path: documentedPath(pattern),
    })),
  );
  for (const { service: replica } of service.replicas) {
    replica.app.server.on("request", (request: IncomingMessage, response: ServerResponse) => {
      if (request.headers["user-agent"] === TESTS_OWN_AGENT) return;
      const pathname = pathOf(request);
      if (pathname === "/graphql") return watchDocument(request, response, routesUsed);
      response.on("finish", () => {
        const route = response.statusCode < 300 ? routes.routeFor(request.method!, pathname) : null;
        if (route) routesUsed.add(`${route.method} ${route.path}`);
      });
    });
    onPlainRequest(replica, (request, response) => {
      if (request.headers["user-agent"] === TESTS_OWN_AGENT) return;
      const route = routes.routeFor(request.method!, pathOf(request));
      if (route) onGoodResponse(response, () => routesUsed.add(`${route.method} ${route.path}`));
    });
  }
  const hasEngine = service.service.drivers.some(({ name }) => name === "docker");
  // Simulated workers run in the same service as what a client of another kind calls.
  const isOfClient = (name: string) => client.includes("workers") || !WORKER_ROUTES.includes(name);
  const settleUsed = () =>
    settle(client, { test: t.name, hasEngine }, [...routesUsed].filter(isOfClient).sort());
  t.after(settleUsed);
}

const pathOf = ({ url }: Pick<IncomingMessage, "url">) => path.posix.join("/", url!.split("?")[0]!);

/** Calls back once the response has been sent, if its status is below 300. */
function onGoodResponse(response: ResponseWriter, sent: () => void): void {
  const { writeHead } = response;
  response.writeHead = function spied(status, message, headers) {
    if (status < 300) {
      response.once("close", () => {
        if (response.writableFinished) sent();
      });
    }
    return writeHead.call(response, status, message, headers);
  };
}

function settle(
  client: string,
  { test, hasEngine }: { test: string; hasEngine: boolean },
  routesUsed: string[],
): void {
  const file = path.join(folder, `${client.toLowerCase().replace(/[^a-z0-9.]+/g, "-")}.json`);
  const proof: Proven = existsSync(file)
    ? JSON.parse(readFileSync(file, "utf8"))
    : { client, tests: {}, withEngine: [] };
  if (process.env.FREEHOLD_WITNESS === "write") {
    // Operations that only one of two runs used depend on timing, so they are not recorded.
    proof.tests[test] = routesUsed.filter((name) => proof.tests[test]?.includes(name) ?? true);
    const others = proof.withEngine.filter((name) => name !== test);
    proof.withEngine = hasEngine ? [...others, test].sort() : others;
    writeFileSync(file, `${JSON.stringify(proof, null, 2)}\n`);
    return;
  }
  const missed = (proof.tests[test] ?? []).filter((name) => !routesUsed.includes(name));
  assert.deepEqual(missed, [], `${client} did not get what it once got; see test/fidelity`);
}

/** Observes what the server reads and writes, without consuming it. */
function watchDocument(
  request: IncomingMessage,
  response: ServerResponse,
  routesUsed: Set<string>,
) {
  const chunks: Buffer[] = [];
  const emit = request.emit;
  request.emit = function spied(this: IncomingMessage, event: string | symbol, ...args: unknown[]) {
    if (event === "data") chunks.push(Buffer.from(args[0] as Buffer));
    return emit.call(this, event, ...args);
  } as typeof emit;
  const answered: Buffer[] = [];
  for (const name of ["write", "end"] as const) {
    const send = response[name] as (...args: unknown[]) => unknown;
    response[name] = function spied(this: ServerResponse, ...args: unknown[]) {
      if (typeof args[0] === "string" || Buffer.isBuffer(args[0])) {
        answered.push(Buffer.from(args[0] as string));
      }
      return send.apply(this, args);
    } as never;
  }
  response.on("finish", () => {
    if (response.statusCode !== 200) return;
    const texts = [chunks, answered].map((parts) => Buffer.concat(parts).toString("utf8"));
    for (const name of provenRoots(texts[0]!, texts[1]!)) routesUsed.add(name);
  });
}
