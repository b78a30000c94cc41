// The documentation at /docs: every page of docs/ is there as HTML and as Markdown, and every link leads somewhere.

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { startService } from "../fixtures/service/service.ts";

const docs = path.join(import.meta.dirname, "..", "..", "docs");
const names = readdirSync(docs)
  .filter((file) => file.endsWith(".md"))
  .map((file) => file.slice(0, -".md".length));

test("each page of the documentation is served, and its links resolve", async (t) => {
  const { origin } = await startService(t);
  const pages = new Map<string, string>();
  for (const address of ["/docs", ...names.map((name) => `/docs/${name}`)]) {
    const response = await fetch(origin + address);
    assert.equal(response.status, 200, address);
    assert.match(response.headers.get("content-security-policy")!, /script-src 'self';/);
    const html = await response.text();
    assert.match(html, /<main id="content">\n<h1 id="[^"]+">.+<\/h1>/, address);
    assert.doesNotMatch(html, /<script(?![^>]* src=)|\bstyle="|\son\w+="/, address);
    pages.set(address, html);
  }
  const statuses = new Map<string, number>();
  for (const [address, html] of pages) {
    for (const [, link] of html.matchAll(/(?:href|src)="([^"]+)"/g)) {
      if (/^(?:https?|mailto|data):/.test(link!)) continue;
      const [target, anchor] = link!.split("#");
      const page = pages.get(target || address);
      if (anchor) assert.ok(page?.includes(`id="${anchor}"`), `${address} links to ${link}`);
      if (page !== undefined || target === "/") continue;
      if (!statuses.has(target!)) statuses.set(target!, (await fetch(origin + target)).status);
      assert.equal(statuses.get(target!), 200, `${address} links to ${link}`);
    }
  }
  assert.ok(pages.get("/docs/pods")!.includes('href="/docs/volumes'), "pages link to each other");
});

test("Markdown, its list and the search index are served, and cached by their ETags", async (t) => {
  const { origin } = await startService(t);
  const list = await (await fetch(`${origin}/llms.txt`)).text();
  assert.match(list, /^# Freehold\n\n> The compute cloud you own\. .+\n\n## Use Freehold\n\n- \[/);
  for (const name of names) {
    assert.ok(list.includes(`](/docs/${name}.md)`), name);
    const raw = await fetch(`${origin}/docs/${name}.md`);
    assert.equal(raw.headers.get("content-type"), "text/markdown; charset=utf-8");
    assert.equal(await raw.text(), readFileSync(path.join(docs, `${name}.md`), "utf8"));
  }
  const index = await (await fetch(`${origin}/docs/search.json`)).json();
  const section = (index as { id: string; text: string }[]).find(
    ({ id }) => id === "/docs/console#sign-in",
  );
  assert.match(section!.text, /^On a terminal, npm start prints a link/);
  for (const address of [
    "/docs",
    "/docs/pods",
    "/docs/pods.md",
    "/docs/search.json",
    "/llms.txt",
  ]) {
    const etag = (await fetch(origin + address)).headers.get("etag")!;
    const again = await fetch(origin + address, { headers: { "if-none-match": etag } });
    assert.deepEqual([again.status, await again.text()], [304, ""], address);
  }
});

test("only files of docs/ are served; a browser gets a page that leads to the index", async (t) => {
  const { origin } = await startService(t);
  for (const name of [
    "none",
    "none.md",
    "..%2fpackage.json",
    "decisions",
    "%2e%2e/README.md",
    "a/b/c.md",
  ])
    for (const accept of ["text/html,*/*;q=0.8", "*/*"]) {
      const response = await fetch(`${origin}/docs/${name}`, { headers: { accept } });
      assert.equal(response.status, 404, name);
      const isPage = accept !== "*/*";
      const type = isPage ? /^text\/html/ : /^application\/json/;
      assert.match(response.headers.get("content-type")!, type, name);
      const text = await response.text();
      // fetch leads "%2e%2e/" out of /docs, to the console.
      if (isPage && response.url.includes("/docs/"))
        assert.match(text, /Page not found.*<a href="\/docs">index<\/a>/s, name);
    }
});
