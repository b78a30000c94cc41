// Sign-in with a real OpenID Connect provider: members and roles, what is refused and what the log says.

import assert from "node:assert/strict";
import { test } from "node:test";
import { join } from "../accounts/join.ts";
import { ada, askAs, requestAt, startScene } from "./scene.ts";
import { WebBrowser } from "./web-browser.ts";

test("a person becomes a member at the first sign-in, and the role follows the groups", async (t) => {
  const { service, idp, signIn } = await startScene(t);
  const { json: ways } = await service.call("GET", "/v1/sign-in");
  const provider = { name: "Acme", url: "/oidc/start" };
  assert.deepEqual(ways, { provider, passwords: true, problem: null });

  idp.serve(service.origin);
  idp.people.set("u1", ada);
  const { url, browser, self } = await signIn("u1");
  assert.equal(url.href, `${service.origin}/pods`);
  assert.equal(self?.role, "dev");
  const { json: members } = await service.call("GET", "/v1/members");
  assert.deepEqual(
    members.map(({ id, email, name, role }: Record<string, string>) => [id, email, name, role]),
    [[self!.memberId, "ada@example.org", "Ada", "dev"]],
  );
  const session = browser.setCookies.find((cookie) => cookie.includes("_session_"));
  assert.match(
    session!,
    /^freehold_session_\d+=fhs_[a-z0-9]{40}; Path=\/; HttpOnly; SameSite=Strict; Max-Age=43200$/,
  );
  const attempt = browser.setCookies.find((cookie) => cookie.includes("_sign_in_"));
  assert.match(
    attempt!,
    /^freehold_sign_in_\d+_\w+=v1\.[A-Za-z0-9+/=]+; Path=\/; HttpOnly; SameSite=Lax; Max-Age=600$/,
  );
  const at = browser.visited.find(({ pathname }) => pathname === "/auth")!;
  const authorization = Object.fromEntries(at.searchParams);
  assert.equal(authorization.code_challenge_method, "S256");
  assert.ok(authorization.state && authorization.nonce && authorization.code_challenge);

  idp.people.set("u1", {
    ...ada,
    email: "ada@new.example.org",
    name: "Ada L",
    groups: ["all", "heads"],
  });
  const again = await signIn("u1");
  assert.deepEqual([again.self?.role, again.self?.memberId], ["admin", self!.memberId]);
  const { json: changed } = await service.call("GET", `/v1/members/${self!.memberId}`);
  assert.deepEqual([changed.email, changed.name], ["ada@new.example.org", "Ada L"]);
  const own = await browser.fetch(`${service.origin}/v1/members`);
  assert.equal(own.status, 200, "the earlier session has the new role");

  const { json: audit } = await service.call("GET", `/v1/audit?resourceId=${self!.memberId}`);
  assert.deepEqual(
    audit
      .map(({ operation, detail }: Record<string, string>) => `${operation} ${detail ?? ""}`.trim())
      .sort(),
    ["changeRoleBySignIn dev -> admin", "signInWithProvider", "signInWithProvider"],
  );
});

test("a member that becomes a person of the provider loses the password", async (t) => {
  const scene = await startScene(t);
  const { service, idp, signIn } = scene;
  idp.serve(service.origin);
  const member = await join(service, "basic", "Ada", ada.email);
  const password = "correct horse battery";
  const set = await member.call("PUT", "/v1/members/me/password", { password });
  assert.equal(set.status, 200, set.text);
  const enter = () => service.call("POST", "/v1/session", { email: ada.email, password });
  assert.equal((await enter()).status, 200);
  idp.people.set("u1", ada);
  const { self, browser } = await signIn("u1");
  assert.equal(self?.memberId, member.member.id);
  assert.equal((await enter()).status, 401);
  const again = await askAs(scene, browser, "PUT", "/v1/members/me/password", { password });
  assert.equal(again.status, 403);
  const { code } = (await again.json()) as { code: string };
  assert.equal(code, "passwords_of_provider");
  const link = `/v1/members/${member.member.id}/password-reset`;
  assert.equal((await service.call("POST", link, {})).json.code, "passwords_of_provider");
});

test("a person whom the table does not let in is refused, with a sentence for each reason", async (t) => {
  const { service, idp, log, signIn } = await startScene(t);
  idp.serve(service.origin);
  const refuse = async (person: string, problem: string, sentence: RegExp) => {
    const { url, self } = await signIn(person);
    assert.equal(url.pathname + url.search, `/sign-in?problem=${problem}`);
    assert.equal(self, null);
    assert.match(log.pop() ?? "", sentence);
    const { json } = await service.call("GET", `/v1/sign-in?problem=${problem}`);
    assert.ok(json.problem.length > 20, "the person reads a sentence");
  };
  idp.people.set("none", { ...ada, groups: ["others"] });
  await refuse("none", "no_role", /no group of the person is in oidc.groups/);
  idp.people.set("two", { ...ada, groups: ["money", "ml"] });
  await refuse("two", "role_conflict", /two roles .*: "ml" gives dev, "money" gives billing/);
  const { groups: _, ...untold } = ada;
  idp.people.set("untold", untold);
  await refuse("untold", "no_groups", /neither in the ID token nor in userinfo/);
  idp.people.set("nameless", { groups: ["ml"] });
  await refuse("nameless", "no_email", /add the scope email/);
  await refuse("denied", "denied", /refused the sign-in: access_denied: No is no/);
  const { json: members } = await service.call("GET", "/v1/members");
  assert.deepEqual(members, []);
  const { json: audit } = await service.call("GET", "/v1/audit?operation=signInWithProvider");
  assert.deepEqual(
    audit.map(({ detail, outcome }: Record<string, string>) => `${outcome} ${detail}`),
    ["refused no_email", "refused no_groups", "refused role_conflict", "refused no_role"],
  );

  // A member that was invited is linked only by an address that is the person's for certain.
  const { json: invitation } = await service.call("POST", "/v1/invitations", {
    email: ada.email,
    role: "basic",
  });
  const { json: accepted } = await service.call("POST", "/v1/invitations/accept", {
    token: invitation.token,
  });
  idp.people.set("u2", { ...ada, email_verified: false });
  await refuse(
    "u2",
    "email_taken",
    /ada@example.org, and the provider does not say email_verified/,
  );
  idp.people.set("u1", ada);
  const { self } = await signIn("u1");
  assert.deepEqual([self?.memberId, self?.role], [accepted.member.id, "dev"]);
  idp.people.set("u3", ada);
  await refuse("u3", "email_taken", /belongs to another person of the provider/);
});

test("an answer that is not for this sign-in is refused, with a sentence for each reason", async (t) => {
  const { service, idp, log, signIn } = await startScene(t);
  const refuse = async (problem: string, sentence: RegExp) => {
    const { url, self } = await signIn("u1");
    assert.equal(url.search, `?problem=${problem}`, log.at(-1));
    assert.equal(self, null);
    assert.match(log.pop() ?? "", sentence);
  };
  await refuse("provider_unavailable", /the provider does not answer/);
  assert.equal((await service.call("GET", "/v1/pods")).status, 200, "everything else goes on");
  idp.serve(service.origin);
  idp.people.set("u1", ada);
  idp.issuerShown = "https://login.example.org";
  await refuse("wrong_issuer", /another issuer than oidc.issuer/);
  idp.issuerShown = null;

  const change = (changes: object) => {
    idp.changeClaims = (claims) => ({ ...claims, ...changes });
  };
  change({ iss: "https://login.example.org" });
  await refuse("wrong_issuer", /another issuer/);
  change({ aud: "another" });
  await refuse("wrong_audience", /for another client than freehold/);
  change({ nonce: "another" });
  await refuse("wrong_nonce", /nonce of another sign-in/);
  const nowS = Math.floor(Date.now() / 1_000);
  change({ iat: nowS + 300, exp: nowS + 600 });
  await refuse("clock_skew", /the clocks differ: .* 2\d\d s in the future|300 s in the future/);
  change({ iat: nowS - 600, exp: nowS - 200 });
  await refuse("clock_skew", /the ID token's exp is 2\d\d s off/);
  change({ iat: nowS - 160, exp: nowS - 60 });
  assert.equal((await signIn("u1")).self?.role, "dev", "two minutes of difference are tolerated");
  change({});

  const { calls } = idp;
  idp.rotateKey("second");
  const before = calls.get("/jwks");
  assert.equal((await signIn("u1")).self?.role, "dev", "an unknown key id reads the keys at once");
  assert.equal(calls.get("/jwks"), before! + 1);
  await signIn("u1");
  assert.equal(calls.get("/jwks"), before! + 1, "known keys are not read again");
  idp.rotateKey("secret", false);
  await refuse("unknown_key", /a key that the provider does not publish/);
});

test("a sign-in is completed once, and by the browser that began it", async (t) => {
  const { service, idp, log, signIn } = await startScene(t);
  idp.serve(service.origin);
  idp.people.set("u1", ada);
  const isCallback = ({ pathname }: URL) => pathname === "/oidc/callback";
  idp.person = "u1";
  const browser = new WebBrowser();
  const { url: callback } = await browser.open(`${service.origin}/oidc/start`, isCallback);

  const otherBrowser = new WebBrowser();
  assert.equal((await otherBrowser.open(callback.href)).url.search, "?problem=not_begun");
  assert.match(log.pop()!, /no sign-in that was begun here/);
  await otherBrowser.open(`${service.origin}/oidc/start`, isCallback);
  assert.equal((await otherBrowser.open(callback.href)).url.search, "?problem=not_begun");
  assert.match(log.pop()!, /the state is that of another sign-in/);

  const cookies = browser.cookiesOf(callback);
  assert.equal((await browser.open(callback.href)).url.pathname, "/");
  const tokenCalls = idp.calls.get("/token");
  browser.restore(cookies);
  assert.equal((await browser.open(callback.href)).url.search, "?problem=code_used");
  assert.match(log.pop()!, /completed before/);
  assert.equal(
    idp.calls.get("/token"),
    tokenCalls,
    "the code is not sent twice, which would end the first session",
  );
  assert.ok((await signIn("u1")).self);
});

test("a sign-in leads to pages of this service only", async (t) => {
  const { service, idp } = await startScene(t);
  idp.serve(service.origin);
  idp.people.set("u1", ada);
  idp.person = "u1";
  const far = [
    "https://evil.example/",
    "//evil.example",
    "/\\evil.example",
    "/\t/evil.example",
    "/.//evil.example",
    "javascript:alert(1)",
  ];
  for (const next of far) {
    const browser = new WebBrowser();
    const { url } = await browser.open(
      `${service.origin}/oidc/start?next=${encodeURIComponent(next)}`,
    );
    assert.equal(url.href, `${service.origin}/`, next);
  }
  const browser = new WebBrowser();
  const { url } = await browser.open(
    `${service.origin}/oidc/start?next=${encodeURIComponent("/pods?q=a#b")}`,
  );
  assert.equal(url.href, `${service.origin}/pods?q=a#b`);

  for (const fetchSite of ["cross-site", "same-site"]) {
    const response = await fetch(`${service.origin}/oidc/start?next=/pods`, {
      redirect: "manual",
      headers: { "sec-fetch-site": fetchSite },
    });
    assert.equal(response.headers.get("location"), `${service.origin}/sign-in?next=%2Fpods`);
    assert.deepEqual(response.headers.getSetCookie(), []);
  }
  const { location } = await requestAt(`${service.origin}/oidc/start`, {
    host: "127.evil.example",
  });
  assert.equal(location, "/sign-in?problem=no_public_url", "a name of another site is no address");
});

test("behind TLS the cookies are the host's own", async (t) => {
  const env = { FREEHOLD_PUBLIC_URL: "https://cloud.example.org" };
  const { service, idp } = await startScene(t, {}, { env });
  idp.serve("https://cloud.example.org");
  const headers = { host: "cloud.example.org", "x-forwarded-proto": "https" };
  const response = await fetch(`${service.origin}/oidc/start`, { headers, redirect: "manual" });
  const url = new URL(response.headers.get("location")!);
  assert.equal(url.searchParams.get("redirect_uri"), "https://cloud.example.org/oidc/callback");
  assert.match(
    response.headers.getSetCookie().join(),
    /^__Host-freehold_sign_in\w*=.*; SameSite=Lax; .*; Secure$/,
  );
});
