import assert from "node:assert/strict";
import { test } from "node:test";
import { type LinkErrors, linkErrors, linksDown, type Nvlinks } from "./nvlinks.ts";

const links = (active: number, inactive: number[] = []): Nvlinks => {
  return { active, inactive, errors: new Map() };
};

test("which links are down", () => {
  const up = links(18);
  const table: [own: Nvlinks, peers: Nvlinks[], text: string | null][] = [
    [up, [up], null],
    [links(17, [3]), [], "its NVLink 3 of 18 is down"],
    [links(16, [0, 17]), [up], "its NVLinks 0, 17 of 18 are down"],
    [links(0), [up, up, up], "all its NVLinks are down, and those of the other GPUs are not"],
    [
      links(0, [0, 1]),
      [up, up, up],
      "all its NVLinks are down, and those of the other GPUs are not",
    ],
    // Cards of which some have a bridge, and a virtual machine with one GPU of a board
    [links(0), [up, up], null],
    [links(0), [links(0), up, up], null],
    [links(0, [0, 1, 2]), [], null],
  ];
  for (const [own, peers, text] of table) assert.equal(linksDown(own, peers), text);
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
