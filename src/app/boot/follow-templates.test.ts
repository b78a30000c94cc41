// The operator's templates from a URL: refreshed by ETag, kept for a start without the network, and wrong ones refused.

import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { test } from "node:test";
import { readConfig } from "../../config/config.ts";
import { followTemplates } from "./follow-templates.ts";

const notes = (image: string) => JSON.stringify([{ id: "notes", name: "Notes", imageName: image }]);
const WRONG = `
- { id: notes, name: Notes, imageName: acme/notes:9 }
- { id: other, name: Other, imageName: acme/other:1, imgName: x, env: { PORT: 80 } }
`;

test("templates of a URL are followed, and the last good ones kept", async (t) => {
  const dataFolder = mkdtempSync(path.join(tmpdir(), "freehold-templates-"));
  t.after(() => rmSync(dataFolder, { recursive: true }));
  const served = { status: 200, etag: '"1"', body: notes("acme/notes:1"), unchanged: 0 };
  const server = createServer((request, response) => {
    const isKnown = request.headers["if-none-match"] === served.etag;
    if (isKnown) served.unchanged++;
    const status = isKnown ? 304 : served.status;
    response.writeHead(status, { etag: served.etag }).end(isKnown ? undefined : served.body);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  t.after(() => server.close());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/templates.yaml`;

  const logged: string[] = [];
  const log = { error: (_: object, line: string) => logged.push(line) };
  const start = async () => {
    const flags = { data: dataFolder, templates: url };
    const config = { ...readConfig(flags, {}, dataFolder), log: log as never };
    const [loop] = await followTemplates(config);
    const image = (id: string) => config.officialTemplates.find(id)?.spec.imageName;
    return { image, pass: () => loop!.run() };
  };
  const first = await start();
  assert.equal(first.image("notes"), "acme/notes:1");
  assert.ok(first.image("pytorch"), "the gallery stays");
  await first.pass();
  assert.equal(served.unchanged, 1);

  Object.assign(served, { etag: '"2"', body: WRONG });
  await first.pass();
  assert.equal(first.image("notes"), "acme/notes:1");
  assert.match(logged[0]!, /entry 2, "other": "imgName" is not known/);
  assert.match(logged[1]!, /entry 2, "other": "env\.PORT" must be a string; it is 80/);

  Object.assign(served, {
    etag: '"3"',
    body: "id: notes\nname: a\nimageName: acme/notes:3\n---\n[]",
  });
  await first.pass();
  assert.equal(first.image("notes"), "acme/notes:3");

  served.status = 500;
  served.etag = '"4"';
  logged.length = 0;
  const second = await start();
  assert.equal(second.image("notes"), "acme/notes:3", "the copy is used at once");
  await second.pass();
  assert.deepEqual(logged, ["FREEHOLD_TEMPLATES: the server answers 500"]);
  assert.equal(second.image("notes"), "acme/notes:3");
});

test("a start without an answer has the gallery; a wrong URL is refused", async (t) => {
  const dataFolder = mkdtempSync(path.join(tmpdir(), "freehold-templates-"));
  t.after(() => rmSync(dataFolder, { recursive: true }));
  const read = (templates: string) => readConfig({ data: dataFolder, templates }, {}, dataFolder);
  const logged: string[] = [];
  const log = { error: (_: object, line: string) => logged.push(line) } as never;
  const config = read("http://127.0.0.1:1/templates.yaml");
  await followTemplates({ ...config, log });
  assert.match(logged[0]!, /^FREEHOLD_TEMPLATES: it cannot be read: /);
  assert.ok(config.officialTemplates.find("ubuntu"));
  for (const wrong of ["https://me:secret@example.com/t", "http://"]) {
    assert.throws(() => read(wrong), /a folder, or a URL without a user name/);
  }
});
