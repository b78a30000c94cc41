// Tests of several sign-ins of one browser.

import assert from "node:assert/strict";
import { test } from "node:test";
import { ada, startScene } from "./scene.ts";
import { WebBrowser } from "./web-browser.ts";

test("tabs that sign in at a time each end at their page, and none keeps another from its end", async (t) => {
  const { service, idp } = await startScene(t);
  idp.serve(service.origin);
  idp.people.set("u1", ada);
  idp.person = "u1";
  const isCallback = ({ pathname }: URL) => pathname === "/oidc/callback";
  const browser = new WebBrowser();
  const begin = async (page: string) =>
    (await browser.open(`${service.origin}/oidc/start?next=${page}`, isCallback)).url;
  const pages = ["/pods", "/serverless", "/jobs"];
  const callbacks: URL[] = [];
  for (const page of pages) callbacks.push(await begin(page));
  await browser.open(`${service.origin}/oidc/callback?state=forged&code=forged`);
  for (const [index, callback] of callbacks.entries()) {
    assert.equal((await browser.open(callback.href)).url.pathname, pages[index]);
  }
  for (let tab = 0; tab < 6; tab++) await begin("/pods");
  const attempts = browser.cookiesOf(callbacks[0]!).filter(({ name }) => /sign_in/.test(name));
  assert.equal(attempts.length, 4, "tabs that were closed leave only so many cookies");
});

test("a page with a long address does not keep a person from signing in", async (t) => {
  const { service, idp } = await startScene(t);
  idp.serve(service.origin);
  idp.people.set("u1", ada);
  idp.person = "u1";
  const browser = new WebBrowser();
  const { url } = await browser.open(
    `${service.origin}/oidc/start?next=/pods?q=${"a".repeat(5_000)}`,
  );
  assert.equal(url.href, `${service.origin}/`);
  const longest = Math.max(...browser.setCookies.map((cookie) => cookie.length));
  assert.ok(longest < 4_096, "browsers drop longer cookies");
});
