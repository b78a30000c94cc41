// Sees which operations a public client, unmodified, got a good answer from, and holds it to those it
// once got: test/fidelity/proven/ has a list for each client, and docs/fidelity.md is made of them.
// With FREEHOLD_WITNESS=write the lists are written instead; what is there already is only shortened.

import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import path from "node:path";
import type { TestContext } from "node:test";
import type { TestHouse } from "../house.ts";
import { documented, RouteTable } from "../routes.ts";
import { provenRoots } from "./graphql-roots.ts";

/** What the tests' own requests call themselves; no client is proven by them. */
export const TESTS_OWN_AGENT = "freehold-tests";

const folder = path.join(import.meta.dirname, "proven");

/** For each client the operations that each of its tests has proven. */
export interface Proven {
  client: string;
  tests: Record<string, string[]>;
}

export function readProven(): Proven[] {
  const names = readdirSync(folder).filter((name) => name.endsWith(".json"));
  return names.sort().map((name) => JSON.parse(readFileSync(path.join(folder, name), "utf8")));
}

/** From now to the end of the test; tests of one client must lie in one file. */
export function witness(t: TestContext, house: TestHouse, client: string): void {
  const seen = new Set<string>();
  const routes = new RouteTable(
    house.house.routes.map(({ method, path: pattern }) => ({ method, path: documented(pattern) })),
  );
  for (const { house: replica } of house.replicas) {
    replica.app.server.on("request", (request: IncomingMessage, response: ServerResponse) => {
      if (request.headers["user-agent"] === TESTS_OWN_AGENT) return;
      const asked = path.posix.join("/", request.url!.split("?")[0]!);
      if (asked === "/graphql") return watchDocument(request, response, seen);
      response.on("finish", () => {
        const route = response.statusCode < 300 ? routes.at(request.method!, asked) : null;
        if (route) seen.add(`${route.method} ${route.path}`);
      });
    });
  }
  t.after(() => settle(client, t.name, [...seen].sort()));
}

function settle(client: string, test: string, seen: string[]): void {
  const file = path.join(folder, `${client.toLowerCase().replace(/[^a-z0-9.]+/g, "-")}.json`);
  const kept: Proven = existsSync(file)
    ? JSON.parse(readFileSync(file, "utf8"))
    : { client, tests: {} };
  if (process.env.FREEHOLD_WITNESS === "write") {
    // What one run saw and another did not is a matter of chance, and proves nothing to hold on to.
    kept.tests[test] = seen.filter((name) => kept.tests[test]?.includes(name) ?? true);
    writeFileSync(file, `${JSON.stringify(kept, null, 2)}\n`);
    return;
  }
  const missed = (kept.tests[test] ?? []).filter((name) => !seen.includes(name));
  assert.deepEqual(missed, [], `${client} did not get what it once got; see test/fidelity`);
}

/** Listens to what the server itself reads and writes, and takes nothing of it away. */
function watchDocument(request: IncomingMessage, response: ServerResponse, seen: Set<string>) {
  const asked: Buffer[] = [];
  const emit = request.emit;
  request.emit = function spied(this: IncomingMessage, event: string | symbol, ...args: unknown[]) {
    if (event === "data") asked.push(Buffer.from(args[0] as Buffer));
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
    const texts = [asked, answered].map((parts) => Buffer.concat(parts).toString("utf8"));
    for (const name of provenRoots(texts[0]!, texts[1]!)) seen.add(name);
  });
}
