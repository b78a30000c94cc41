// Which module may import which. ARCHITECTURE.md explains the table. It keeps a request from
// commanding a container and a route from reaching the store.

import assert from "node:assert/strict";
import { test } from "node:test";
import { rules } from "./module-rules.ts";
import { type Import, importsOf, type Source, sourceOf, sources } from "./sources.ts";
import { importedWrites, writersOf } from "./store-writes.ts";

/** Folders of `edge` that every interface may import, and the ones that these may import themselves. */
const SHARED_EDGE: Record<string, readonly string[]> = {
  http: [],
  proxy: ["http"],
  management: ["http", "proxy"],
};

/** Folders of `store` that still import other tables and transactions. The list may only shrink. */
const STORE_EXCEPTIONS: string[] = [];

/** File names that do not say what is in the file. */
const NAMELESS = /^(?:utils?|helpers?|common|shared|types?|misc|index)\.tsx?$/;

/** The part of a driver that changes machines. Flows and routes have only the part that reads. */
const COMMANDS = /\b(?:Driver|Commanding)\b/;

const all = sources("src");

test("every module is in the table", () => {
  const rooms = new Set(all.map(({ room }) => room));
  assert.deepEqual([...rooms].filter((room) => !(room in rules)).sort(), []);
});

test("no module has a forbidden import", () => {
  const breaches = all
    .filter(({ testing }) => !testing)
    .flatMap((source) => importsOf(source).flatMap((each) => breach(source, each)));
  assert.deepEqual(breaches, []);
});

test("flows and routes only read from drivers", () => {
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

test("no route calls the store", () => {
  const asking = all.filter(
    ({ room, code }) => room === "edge" && /\bstore\.(?:read|write|wakes|close)\b/.test(code),
  );
  assert.deepEqual(
    asking.filter(({ testing }) => !testing).map(({ file }) => file),
    [],
  );
});

test("flows and loops write through transactions", () => {
  assert.deepEqual(
    all.filter(writesToTable).map(({ file }) => file),
    [],
  );
});

test("the console knows only the OpenAPI document of the service", () => {
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

test("every file name describes the file, and no file only re-exports others", () => {
  const bad = sources("src", "test", "sim", "bench", "console/src").filter(({ file, code }) => {
    const name = file.split("/").at(-1)!;
    return NAMELESS.test(name) || /^(?:\s*export [^;]* from "[^"]*";)+\s*$/.test(code);
  });
  assert.deepEqual(
    bad.map(({ file }) => file),
    [],
  );
});

function breach(source: Source, { target, ours, typesOnly, later }: Import): string[] {
  if (!ours) return [];
  const rights = rules[source.room];
  if (!rights) return [];
  const isOneOf = (paths: readonly string[] = []) => paths.some((path) => target.startsWith(path));
  if (rights.rooms === "all")
    return isOneOf(rights.not) && !isOneOf(rights.files)
      ? [`${source.file} imports ${target}`]
      : [];
  if (isOneOf(rights.files) || (rights.loadsLater && (later || typesOnly))) return [];
  const [top, room] = target.split("/");
  if (STORE_EXCEPTIONS.some((folder) => source.file.startsWith(folder))) return [];
  const inside =
    top === "src" &&
    room === source.room &&
    !importsOtherTable(source.file, target) &&
    !importsOtherInterface(source.file, target);
  const permitted = top === "src" && rights.rooms.includes(room!) && !isOneOf(rights.not);
  const named = typesOnly && isOneOf(rights.types);
  return inside || permitted || named ? [] : [`${source.file} imports ${target}`];
}

/** The tables, and what a statement that changes rows is made with. */
const TABLES = /^src\/store\/(?!engine\/)|\/engine\/(?:statement|accumulator)\.ts$/;

const tables = new Map(
  all.filter(({ file }) => TABLES.test(file)).map((each) => [each.file, each]),
);

function writesToTable(source: Source): boolean {
  if (source.testing || (source.room !== "flows" && source.room !== "loops")) return false;
  return importedWrites(source, tables).length > 0;
}

/**
 * What happens to several tables in one commit belongs in `transactions`; a table imports `engine`
 * and itself.
 */
function importsOtherTable(file: string, target: string): boolean {
  if (!file.startsWith("src/store/")) return false;
  const table = target.split("/")[2];
  return table !== file.split("/")[2] && table !== "engine";
}

/** An interface uses what all share, not what another interface is made of. */
function importsOtherInterface(file: string, target: string): boolean {
  if (!file.startsWith("src/edge/")) return false;
  const [folder, imported] = [file.split("/")[2]!, target.split("/")[2]!];
  const shared = SHARED_EDGE[folder] ?? Object.keys(SHARED_EDGE);
  return folder !== imported && !shared.includes(imported);
}

test("an unused exception of the store is deleted", () => {
  const needed = (folder: string) =>
    all.some(
      (source) =>
        source.file.startsWith(folder) &&
        !source.testing &&
        importsOf(source).some(
          ({ ours, target }) =>
            ours &&
            (target.startsWith("src/transactions/") ||
              (target.startsWith("src/store/") && importsOtherTable(source.file, target))),
        ),
    );
  assert.deepEqual(
    STORE_EXCEPTIONS.filter((folder) => !needed(folder)),
    [],
  );
});

// Imports that the rules must detect, or permit.
const examples: [file: string, line: string, isBreach: boolean][] = [
  ["src/domain/job/x.ts", 'import { systemClock } from "../../base/clock.ts";', true],
  ["src/domain/job/x.ts", 'import type { Store } from "../../store/store.ts";', true],
  ["src/domain/job/x.ts", 'import { Body } from "../../base/json/body.ts";', false],
  ["src/edge/queue/x.ts", 'import { findJob } from "../../store/job/find.ts";', true],
  ["src/edge/queue/x.ts", 'import { type Store, x } from "../../store/store.ts";', true],
  ["src/edge/queue/x.ts", 'import { type Store, type X } from "../../store/store.ts";', true],
  ["src/edge/queue/x.ts", 'import {\n  a,\n  type B,\n} from "../../loops/loop.ts";', true],
  ["src/edge/queue/x.ts", 'import { serve } from "../management/serve/serve.ts";', false],
  ["src/edge/queue/x.ts", 'import type { A } from "../rest-v1/pod/pods.ts";', true],
  ["src/edge/http/x.ts", 'import { serve } from "../management/serve/serve.ts";', true],
  ["src/flows/job/x.ts", 'const a = await import("../../edge/http/server.ts");', true],
  ["src/flows/job/x.ts", 'export { start } from "../../drivers/process/launch.ts";', true],
  ["src/flows/job/x.ts", 'import type { Looking } from "../../drivers/driver.ts";', false],
  ["src/flows/job/x.ts", '// import { x } from "../../edge/http/server.ts";', false],
  ["src/store/audit/x.ts", 'import { x } from "../ledger/ledger.ts";', true],
  ["src/store/audit/x.ts", 'import { row } from "../engine/statement.ts";', false],
  ["src/store/audit/x.ts", 'import { meter } from "../../transactions/money/meter.ts";', true],
  [
    "src/transactions/money/x.ts",
    'import { addEntry } from "../../store/ledger/ledger.ts";',
    false,
  ],
  ["src/transactions/money/x.ts", 'import { submit } from "../../flows/job/submit.ts";', true],
  ["src/serve/x.ts", 'import "../base/clock.ts";', true],
  ["src/store/x.ts", 'import { startHouse } from "../fixtures/service/service.ts";', true],
];

for (const [file, line, isBreach] of examples) {
  test(`${file}: ${line.replace(/\s+/g, " ")} is ${isBreach ? "a breach" : "permitted"}`, () => {
    const source = sourceOf(file, `${line}\n`);
    const breaches = importsOf(source).flatMap((each) => breach(source, each));
    assert.equal(breaches.length, isBreach ? 1 : 0);
  });
}

const writeExamples: [file: string, line: string, isBreach: boolean][] = [
  ["src/flows/x/x.ts", 'import { insertSecret } from "../../store/secret/secret.ts";', true],
  ["src/flows/x/x.ts", 'import { insertSecret as a } from "../../store/secret/secret.ts";', true],
  [
    "src/flows/x/x.ts",
    'import {\n  a,\n  insertSecret,\n} from "../../store/secret/secret.ts";',
    true,
  ],
  ["src/flows/x/x.ts", 'import { change } from "../../store/engine/statement.ts";', true],
  ["src/flows/x/x.ts", 'import { notify } from "../../store/engine/statement.ts";', false],
  ["src/flows/x/x.ts", 'import * as secrets from "../../store/secret/secret.ts";', true],
  ["src/flows/x/x.ts", 'import { listSecrets } from "../../store/secret/secret.ts";', false],
  ["src/flows/x/x.ts", 'import type { SystemLine } from "../../store/log/system-log.ts";', false],
  ["src/loops/x/x.ts", 'import { recordCounts } from "../../store/endpoint/counts.ts";', true],
  ["src/loops/x/x.ts", 'import { forgetEnded } from "../../transactions/job/forget.ts";', false],
  [
    "src/transactions/x/x.ts",
    'import { insertSecret } from "../../store/secret/secret.ts";',
    false,
  ],
];

for (const [file, line, isBreach] of writeExamples) {
  test(`${file}: ${line.replace(/\s+/g, " ")} is ${isBreach ? "a write" : "no write"}`, () => {
    assert.equal(writesToTable(sourceOf(file, `${line}\n`)), isBreach);
  });
}

test("a function writes by its SQL, or by another function of its file", () => {
  const table = sourceOf(
    "src/store/x/x.ts",
    `const SQL = "update x set a = ?";
export function* read(): Tx<Row> {
  return yield* row("select a from x where b = ? /*+ for update */");
}
export const write = sideBySide(function* write(): Tx<void> {
  yield* run(SQL);
});
export function* add(): Tx<void> {
  yield* row("insert into x (a) values (?) returning a", 1);
}
export function* both(): Tx<void> {
  yield* add();
}
`,
  );
  assert.deepEqual([...writersOf(table)].sort(), ["SQL", "add", "both", "write"]);
});
