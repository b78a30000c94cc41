// Labels of what costs nothing by itself, and the lists that select rows by labels.

import assert from "node:assert/strict";
import { test } from "node:test";
import { hasLabels, type LabelFilter, type Labels } from "../../../../src/domain/label/labels.ts";
import type { Reservation } from "../../../../src/domain/reservation/reservation.ts";
import type { Secret } from "../../../../src/domain/secret/secret.ts";
import { defaultTemplate, type Template } from "../../../../src/domain/template/template.ts";
import {
  findReservation,
  insertReservation,
  listReservations,
} from "../../../../src/store/reservation/reservation.ts";
import { changeSecret, findSecret, insertSecret } from "../../../../src/store/secret/secret.ts";
import {
  findTemplate,
  insertTemplate,
  templatesAfter,
  updateTemplate,
} from "../../../../src/store/template/template.ts";
import { Fixture, type OpenStore } from "../fixture.ts";

const labelSets: Labels[] = [
  {},
  { 'z"team': "a" },
  { team: "a" },
  { team: "a", run: "x=y,z" },
  { team: "", "it's.one/ü 😀": "%_\\" },
  { x: '"team":"a"', "x,": ":" },
  { team: "a\\" },
  { team: 'a","run":"x=y,z' },
];

const filters: LabelFilter[] = [
  [],
  [["team", "a"]],
  [
    ["run", "x=y,z"],
    ["team", "a"],
  ],
  [["team", ""]],
  [["it's.one/ü 😀", "%_\\"]],
  [['z"team', "a"]],
  [["team", "a\\"]],
  [["team", "A"]],
];

const idOf = (n: number) => `labeled${n}`;
const idsWith = (filter: LabelFilter) =>
  labelSets.flatMap((labels, n) => (hasLabels(labels, filter) ? [idOf(n)] : []));

export function labelConformance(open: OpenStore): void {
  test("templates are stored with labels and selected by them", async (t) => {
    const { store, now } = await Fixture.set(open, t);
    const templateOf = (labels: Labels, n: number): Template => ({
      id: idOf(n),
      accountId: "account",
      name: idOf(n),
      labels,
      createdAt: now + n,
      spec: defaultTemplate("x"),
    });
    const templates = labelSets.map(templateOf);
    for (const each of templates) await store.write(insertTemplate, { ...each, labels: {} });
    for (const each of templates) await store.write(updateTemplate, each);
    for (const each of templates) assert.deepEqual(await store.read(findTemplate, each.id), each);
    for (const labels of filters) {
      const after = { createdAt: Number.MAX_SAFE_INTEGER, id: "" };
      const selection = { after, limit: 100, ownerId: null, labels };
      const rows = await store.read(templatesAfter, "account", selection);
      // A few others may pass.
      const ids = rows.filter((each) => hasLabels(each.labels, labels)).map(({ id }) => id);
      const labeledIds = ids.filter((id) => id.startsWith("labeled"));
      assert.deepEqual(labeledIds, idsWith(labels).reverse(), JSON.stringify(labels));
    }
  });
  reservationConformance(open);
  secretConformance(open);
}

function reservationConformance(open: OpenStore): void {
  test("reservations are stored with labels and selected by them", async (t) => {
    const { store, now } = await Fixture.set(open, t);
    for (const [n, labels] of labelSets.entries()) {
      const reservation: Reservation = {
        id: idOf(n),
        accountId: "account",
        projectId: null,
        gpuTypeId: "NVIDIA A40",
        gpuCount: 1,
        from: now,
        until: now + 60_000,
        note: "",
        labels,
        createdAt: now,
        changedAt: now,
        sequence: 0,
        cancelledAt: null,
        unusedSince: null,
        warnedAt: null,
        releasedAt: null,
        enlargedBy: null,
      };
      await store.write(insertReservation, reservation);
      assert.deepEqual(await store.read(findReservation, reservation.id), reservation);
    }
    const span = { accountId: "account", from: now, until: now + 1, gpuTypeId: null };
    for (const labels of filters) {
      const filter = { ...span, ownerId: null, labels, after: null, limit: 100 };
      const ids = (await store.read(listReservations, filter)).map(({ id }) => id);
      assert.deepEqual(ids, idsWith(labels), JSON.stringify(labels));
      const [first] = await store.read(listReservations, { ...filter, limit: 1 });
      assert.equal(first?.id, idsWith(labels)[0], "a page is full while others follow");
    }
  });
}

function secretConformance(open: OpenStore): void {
  test("a secret is stored with labels", async (t) => {
    const { store, now } = await Fixture.set(open, t);
    for (const [n, labels] of labelSets.entries()) {
      const secret: Secret = {
        id: idOf(n),
        accountId: "account",
        name: idOf(n),
        description: "",
        labels,
        value: "sealed",
        createdAt: now,
        changedAt: now,
        valueChangedAt: now,
      };
      await store.write(insertSecret, { ...secret, labels: { team: "b" } });
      await store.write(changeSecret, secret);
      assert.deepEqual(await store.read(findSecret, secret.id), secret);
    }
  });
}
