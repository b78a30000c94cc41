// Cursors of paged lists: only the list, the account and the version that made a cursor take it.

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import { firstAccount } from "../../src/store/account/account.ts";
import { createOtherAccount } from "../fixtures/service/other-account.ts";
import { simulatedService } from "../pods/fixture.ts";
import { asker } from "./ask.ts";

/** Three items of every paged list; returns the path of each list. */
async function fill(ask: ReturnType<typeof asker>): Promise<string[]> {
  const container = { image: "i", driver: "simulated" };
  const scaling = { type: "QUEUE_DELAY", queueDelay: 1 };
  const cpu = { id: "cpu3c", vcpuCount: 2 };
  const queue = { type: "QUEUE", cpu: [cpu], scaling, workers: { max: 0 } };
  let endpointId = "";
  for (const name of ["a", "b", "c"]) {
    await ask("POST", "/v2/templates", { name, ...container }, 201);
    await ask("POST", "/v2/pods", { name, ...container, cpu }, 201);
    ({ id: endpointId } = await ask(
      "POST",
      "/v2/serverless",
      { name, ...container, ...queue },
      201,
    ));
  }
  for (const image of ["j", "k"]) await ask("PATCH", `/v2/serverless/${endpointId}`, { image });
  return ["/v2/pods", "/v2/serverless", "/v2/templates", `/v2/serverless/${endpointId}/releases`];
}

test("a cursor is taken by the list that made it, whole and for its account only", async (t) => {
  const service = await simulatedService(t);
  const ask = asker(service);
  const lists = await fill(ask);
  const pages = lists.map(async (list) => (await ask("GET", `${list}?limit=1`)).pagination);
  const cursors: string[] = (await Promise.all(pages)).map(({ nextCursor }) => nextCursor);
  const refuse = async (list: string, cursor: string, headers = {}) => {
    const path = `${list}?cursor=${encodeURIComponent(cursor)}`;
    const { status, json, text } = await service.call("GET", path, undefined, headers);
    assert.equal(status, 422, `${path} ${text}`);
    assert.match(json.errors[0], /^\$\.cursor: /, path);
  };
  const theirs = await createOtherAccount(service);
  for (const [n, cursor] of cursors.entries()) {
    const list = lists[n]!;
    const { pagination } = await ask("GET", `${list}?cursor=${cursor}`);
    assert.deepEqual(pagination, { nextCursor: null, hasNextPage: false });
    for (const other of lists) if (other !== list) await refuse(other, cursor);
    if (!list.endsWith("/releases")) await refuse(list, cursor, theirs);
    for (let at = 1; at < cursor.length; at++) await refuse(list, cursor.slice(0, at));
    for (let at = 0; at < cursor.length; at++) {
      const changed = cursor[at] === "A" ? "B" : "A";
      await refuse(list, cursor.slice(0, at) + changed + cursor.slice(at + 1));
    }
    for (const more of ["=", "A", " ", "\0", ".", cursor]) await refuse(list, cursor + more);
  }
});

test("a cursor of an older version is refused", async (t) => {
  const service = await simulatedService(t);
  const ask = asker(service);
  await fill(ask);
  const { id: accountId } = (await service.service.store.read(firstAccount))!;
  const { templates } = await ask("GET", "/v2/templates");
  const { nextCursor } = (await ask("GET", "/v2/templates?limit=1")).pagination;
  const [, createdAt] = Buffer.from(nextCursor, "base64url").toString().split(".");
  const position = `${createdAt}.${templates[0].id}`;
  const cursorOf = (version: number) => {
    const scope = JSON.stringify([version, accountId, "listTemplates", [], position]);
    const digest = createHash("sha256").update(scope).digest("hex").slice(0, 16);
    return Buffer.from(`${digest}.${position}`).toString("base64url");
  };
  assert.equal(cursorOf(1), nextCursor);
  for (const version of [0, 2]) {
    const path = `/v2/templates?cursor=${cursorOf(version)}`;
    assert.match((await ask("GET", path, undefined, 422)).errors[0], /^\$\.cursor: /);
  }
});
