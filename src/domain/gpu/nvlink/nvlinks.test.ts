import assert from "node:assert/strict";
import { test } from "node:test";
import {
  type LinkErrors,
  linkErrors,
  linksDown,
  type Nvlinks,
  withActiveLinks,
} from "./nvlinks.ts";

const range = (count: number) => Array.from({ length: count }, (_, n) => n);

const links = (count: number, inactive: number[] = []): Nvlinks => {
  const active = range(count).filter((link) => !inactive.includes(link));
  return { active, inactive, errors: new Map() };
};

test("a link is down if it was up before, or if three peers have all of theirs", () => {
  const up = links(18);
  const [none, all] = [links(0), range(18)];
  const bridge = links(12, range(8));
  const allDown = "all its NVLinks are down that were up before";
  const table: [own: Nvlinks, known: number[], peers: Nvlinks[], text: string | null][] = [
    [up, all, [up], null],
    [links(18, [3]), all, [], "its NVLink 3 of 18 is down"],
    [links(18, [0, 17]), all, [up], "its NVLinks 0, 17 of 18 are down"],
    [none, all, [up, up, up], allDown],
    [none, all, [], allDown],
    [links(4, [0, 1, 2, 3]), [0, 1, 2, 3], [], allDown],
    // A bridge on some of a card's links, of which one is down now
    [bridge, [8, 9, 10, 11], [up, up, up].slice(0, 1), null],
    [links(12, range(9)), [8, 9, 10, 11], [], "its NVLink 8 of 4 is down"],
    // Cards that never had a bridge, whatever the others have
    [none, [], [up, up, up, up], null],
    [links(4, [0, 1, 2, 3]), [], [up, up, up, up], null],
    [none, [], [none, up, up], null],
    // A link that is down from the first reading on, beside GPUs of a board
    [links(18, [3]), [], [up, up, up], "its NVLink 3 of 18 is down"],
    [links(18, [3]), [], [up, up], null],
    [links(18, [3]), [], [bridge, up, up], null],
  ];
  for (const [own, known, peers, text] of table) assert.equal(linksDown(own, known, peers), text);
});

test("links that were up are kept", () => {
  const before = withActiveLinks({}, new Map([["GPU-a", links(4, [3])]]));
  assert.deepEqual(before, { "GPU-a": [0, 1, 2] });
  assert.equal(withActiveLinks(before, new Map([["GPU-a", links(4, [0, 1, 2, 3])]])), before);
  assert.deepEqual(withActiveLinks(before, new Map([["GPU-a", links(4, [0])]])), {
    "GPU-a": [0, 1, 2, 3],
  });
});

test("how the errors of links rise", () => {
  const none = { replay: 0, recovery: 0, crc: 0 };
  const old = { replay: 150, recovery: 2, crc: 90_000 };
  const of = (...errors: [number, LinkErrors][]) => ({ ...links(2), errors: new Map(errors) });
  const table: [before: Nvlinks, after: Nvlinks, text: string | null][] = [
    [links(2), of([0, old]), null],
    [of([0, old]), of([0, old]), null],
    [of([0, old]), of([0, none]), null],
    [of([0, old]), of([0, { ...old, crc: 90_000 + 999 }]), null],
    [
      of([0, old]),
      of([0, { ...old, crc: 90_000 + 1_500 }]),
      "NVLink 0 had 150 CRC errors a second",
    ],
    [of([0, none], [1, none]), of([0, none], [1, { ...none, replay: 1 }]), "NVLink 1 had 1 replay"],
    [
      of([0, none], [1, none]),
      of([0, { ...none, recovery: 1 }], [1, { ...none, replay: 2, recovery: 2 }]),
      "NVLink 0 had 1 recovery; NVLink 1 had 2 replays, 2 recoveries",
    ],
  ];
  for (const [before, after, text] of table) assert.equal(linkErrors(before, after, 10), text);
  assert.equal(linkErrors(of([0, none]), of([0, { ...none, crc: 99 }]), 0), null);
});
