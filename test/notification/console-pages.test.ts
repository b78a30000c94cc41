// Notifications link to pages that the console has.

import assert from "node:assert/strict";
import { test } from "node:test";
import { paths } from "../../console/src/paths.ts";
import { consolePage, pages } from "../../src/domain/notification/console-page.ts";
import { accountEvent, type ResourceType } from "../../src/domain/notification/event.ts";

const patterns = Object.values(paths).map(
  (path) => new RegExp(`^${path.replace("/{-$tab}", "").replaceAll(/\$\w+/g, "[a-z0-9]+")}$`),
);

for (const type of Object.keys(pages) as ResourceType[]) {
  test(`an event about a resource of type ${type} links to a page of the console`, () => {
    const resource = { type, id: "k3x9", name: "" };
    const event = accountEvent({ type: "test", at: 0, summary: "", resource, details: {} });
    const { origin, pathname } = new URL(consolePage(event, "https://cloud.example.org/"));
    assert.equal(origin, "https://cloud.example.org");
    assert.ok(
      patterns.some((pattern) => pattern.test(pathname)),
      pathname,
    );
  });
}
