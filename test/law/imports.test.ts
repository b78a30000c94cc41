// The law of the house: which room may import which. The table is the law; ARCHITECTURE.md tells it
// in prose. It is what keeps a request from commanding a container and a route from touching the
// store.

import assert from "node:assert/strict";
import { test } from "node:test";
import { type Import, importsOf, type Source, sourceOf, sources } from "./sources.ts";

/** What a room may import beside itself. `types` may be named, but not used at run time. */
interface Rights {
  rooms: readonly string[] | "all";
  types?: readonly string[];
  /** Files of those rooms that are closed to it all the same. */
  not?: readonly string[];
}

const law: Record<string, Rights> = {
  base: { rooms: [] },
  contract: { rooms: [] },
  serve: { rooms: [] }, // published on its own
  domain: { rooms: ["base"], not: ["src/base/clock.ts", "src/base/ids.ts", "src/base/log.ts"] },
  store: { rooms: ["base", "domain"] },
  drivers: { rooms: ["base", "domain"] },
  flows: { rooms: ["base", "domain", "store"], types: ["src/drivers/driver.ts"] },
  loops: { rooms: ["base", "domain", "store", "drivers", "flows"] },
  edge: { rooms: ["base", "contract", "domain", "flows"], types: ["src/store/"] },
  app: { rooms: "all" },
};

/** Names of files that say nothing about what is inside. */
const NAMELESS = /^(?:utils?|helpers?|common|shared|types?|misc|index)\.tsx?$/;

/** What only the commanding half of a driver can do; flows and routes hold the looking half. */
const COMMANDS = /\b(?:Driver|Commanding)\b/;

const all = sources("src");

test("every room stands in the table", () => {
  const rooms = new Set(all.map(({ room }) => room));
  assert.deepEqual([...rooms].filter((room) => !(room in law)).sort(), []);
});

test("no room imports what it may not", () => {
  const breaches = all
    .filter(({ testing }) => !testing)
    .flatMap((source) => importsOf(source).flatMap((each) => breach(source, each)));
  assert.deepEqual(breaches, []);
});

test("flows and routes look at drivers and command none", () => {
  const names = all
    .filter(({ room, testing }) => !testing && (room === "flows" || room === "edge"))
    .filter(({ code }) =>
      [...code.matchAll(/import type \{([^}]*)\} from "[^"]*driver\.ts"/g)].some(([, list]) =>
        COMMANDS.test(list!),
      ),
    );
  assert.deepEqual(
    names.map(({ file }) => file),
    [],
  );
});

test("no route asks the store itself", () => {
  const asking = all.filter(
    ({ room, code }) => room === "edge" && /\bstore\.(?:read|write|wakes|close)\b/.test(code),
  );
  assert.deepEqual(
    asking.filter(({ testing }) => !testing).map(({ file }) => file),
    [],
  );
});

test("the console knows the service by its description alone", () => {
  const outside = sources("console/src").flatMap((source) =>
    importsOf(source)
      .filter(({ ours, target }) => ours && !/^console\/(?:src|generated)\//.test(target))
      .map(({ target }) => `${source.file} imports ${target}`),
  );
  assert.deepEqual(outside, []);
});

test("the worker library and the contract use nothing but Node and typebox", () => {
  const packages = all
    .filter(({ room, testing }) => !testing && (room === "serve" || room === "contract"))
    .flatMap(importsOf)
    .filter(({ ours, target }) => !ours && !/^(?:node:|typebox(?:\/|$))/.test(target));
  assert.deepEqual(packages, []);
});

test("no file is called after nothing, and none only passes on others", () => {
  const bad = sources("src", "test", "sim", "bench", "console/src").filter(({ file, code }) => {
    const name = file.split("/").at(-1)!;
    return NAMELESS.test(name) || /^(?:\s*export [^;]* from "[^"]*";)+\s*$/.test(code);
  });
  assert.deepEqual(
    bad.map(({ file }) => file),
    [],
  );
});

function breach(source: Source, { target, ours, typesOnly }: Import): string[] {
  if (!ours) return [];
  const rights = law[source.room];
  if (!rights || rights.rooms === "all") return [];
  const [top, room] = target.split("/");
  const inside = top === "src" && room === source.room;
  const permitted = top === "src" && rights.rooms.includes(room!) && !rights.not?.includes(target);
  const named = typesOnly && (rights.types ?? []).some((prefix) => target.startsWith(prefix));
  return inside || permitted || named ? [] : [`${source.file} imports ${target}`];
}

// The law can be broken: each of these must be seen.
const trespasses: [file: string, line: string, seen: boolean][] = [
  ["src/domain/job/x.ts", 'import { systemClock } from "../../base/clock.ts";', true],
  ["src/domain/job/x.ts", 'import type { Store } from "../../store/store.ts";', true],
  ["src/domain/job/x.ts", 'import { Body } from "../../base/json/body.ts";', false],
  ["src/edge/queue/x.ts", 'import { findJob } from "../../store/job/find.ts";', true],
  ["src/edge/queue/x.ts", 'import { type Store, x } from "../../store/store.ts";', true],
  ["src/edge/queue/x.ts", 'import { type Store, type X } from "../../store/store.ts";', false],
  ["src/edge/queue/x.ts", 'import {\n  a,\n  type B,\n} from "../../loops/loop.ts";', true],
  ["src/flows/job/x.ts", 'const a = await import("../../edge/http/server.ts");', true],
  ["src/flows/job/x.ts", 'export { start } from "../../drivers/process/launch.ts";', true],
  ["src/flows/job/x.ts", 'import type { Looking } from "../../drivers/driver.ts";', false],
  ["src/flows/job/x.ts", '// import { x } from "../../edge/http/server.ts";', false],
  ["src/serve/x.ts", 'import "../base/clock.ts";', true],
  ["src/store/x.ts", 'import { startHouse } from "../../test/house.ts";', true],
];

for (const [file, line, seen] of trespasses) {
  test(`${file}: ${line.replace(/\s+/g, " ")} is ${seen ? "a breach" : "lawful"}`, () => {
    const source = sourceOf(file, `${line}\n`);
    const breaches = importsOf(source).flatMap((each) => breach(source, each));
    assert.equal(breaches.length, seen ? 1 : 0);
  });
}
