// Tests of when the end of a certificate is announced.

import assert from "node:assert/strict";
import { test } from "node:test";
import { DAY_MS } from "../../base/units.ts";
import { certificateEnding, warningAt } from "./certificate-ending.ts";

const startsAt = Date.parse("2026-03-01T00:00:00Z");

const lasting = (days: number) => ({
  startsAt,
  endsAt: startsAt + days * DAY_MS,
  fingerprint: "ab12",
  names: ["gpu.lan", "10.0.0.5"],
});

test("a certificate is announced 14 days before its end, a short-lived one in its last third", () => {
  for (const [days, leadDays] of [
    [90, 14],
    [42, 14],
    [6, 2],
  ] as const) {
    const certificate = lasting(days);
    const dueAt = certificate.endsAt - leadDays * DAY_MS;
    assert.equal(warningAt(certificate), dueAt);
    assert.equal(certificateEnding(certificate, dueAt - 1), null);
    const event = certificateEnding(certificate, dueAt)!;
    assert.equal(event.at, dueAt);
    assert.match(event.summary, /^The TLS certificate of gpu\.lan ends at 2026-.*; renew it\.$/);
  }
});

test("each reminder is one event, whenever it is looked for", () => {
  const certificate = lasting(90);
  const { endsAt } = certificate;
  const idAt = (days: number) => certificateEnding(certificate, endsAt + days * DAY_MS)!.id;
  assert.equal(idAt(-14), idAt(-7.1));
  assert.equal(idAt(-7), idAt(-0.1));
  assert.equal(new Set([-14, -7, 0, 7].map(idAt)).size, 4);
  const other = { ...certificate, fingerprint: "cd34" };
  assert.notEqual(certificateEnding(other, endsAt)!.id, idAt(0));
});

test("a short-lived certificate is not announced more than once a day", () => {
  const certificate = lasting(1 / 24);
  const { endsAt } = certificate;
  const first = certificateEnding(certificate, warningAt(certificate))!;
  const ended = certificateEnding(certificate, endsAt + DAY_MS / 2)!;
  assert.equal(ended.id, first.id);
  assert.match(ended.summary, /ended at .*; clients refuse it\. Renew it\.$/);
});
