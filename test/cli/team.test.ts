// `freehold init team`, `freehold invite` and `freehold quota`.

import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { type TestContext, test } from "node:test";
import { join } from "../accounts/join.ts";
import { startService } from "../fixtures/service/service.ts";
import { simulatedService } from "../pods/fixture.ts";
import { freehold } from "./command.ts";

const PUBLIC_URL = "http://gpu.example.org:9000";

function emptyFolder(t: TestContext): string {
  const folder = mkdtempSync(path.join(tmpdir(), "freehold-team-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

const settingsIn = (folder: string) =>
  JSON.parse(readFileSync(path.join(folder, "freehold.json"), "utf8"));

test("init team writes the answers that the options give", async (t) => {
  const folder = emptyFolder(t);
  const answers = ["--public-url", PUBLIC_URL, "--proxy-domain", "pods.example.org"];
  const { code, stdout, stderr } = await freehold(["init", "team", ...answers], folder);
  assert.equal(code, 0, stderr);
  assert.match(stdout, /Your team's address is http:\/\/gpu\.example\.org:9000\./);
  const expected = { team: "on", publicUrl: PUBLIC_URL, proxyDomain: "pods.example.org" };
  assert.deepEqual(settingsIn(folder), expected);
});

test("init team keeps a file that is there, without --force", async (t) => {
  const folder = emptyFolder(t);
  const init = (url: string, ...more: string[]) =>
    freehold(["init", "team", "--public-url", url, ...more], folder);
  await init(PUBLIC_URL);
  const again = await init("https://other.example.org");
  assert.equal(again.code, 1);
  assert.match(again.stderr, /freehold\.json exists; change it, or replace it with --force/);
  assert.equal(settingsIn(folder).publicUrl, PUBLIC_URL);
  assert.equal((await init("https://other.example.org", "--force")).code, 0);
  assert.deepEqual(settingsIn(folder), { team: "on", publicUrl: "https://other.example.org" });
});

test("init team writes nothing that the service would refuse", async (t) => {
  const folder = emptyFolder(t);
  const answers = ["--public-url", "http://localhost:8700", "--proxy-domain", "10.0.0.1"];
  const { code, stderr } = await freehold(["init", "team", ...answers], folder);
  assert.equal(code, 1);
  assert.match(stderr, /FREEHOLD_PUBLIC_URL.*own computer/);
  assert.match(stderr, /FREEHOLD_PROXY_DOMAIN/);
  assert.throws(() => settingsIn(folder), /ENOENT/);
});

test("invite prints a link below the public URL, which makes a member", async (t) => {
  const service = await startService(t, { env: { FREEHOLD_PUBLIC_URL: PUBLIC_URL } });
  const invite = (...args: string[]) => freehold(["invite", ...args, "--data", service.dataFolder]);
  const { stdout } = await invite("ada@example.org", "--role", "basic", "--quiet");
  const [, token] = /^http:\/\/gpu\.example\.org:9000\/invitation#token=(\S+)\n$/.exec(stdout)!;
  const { json } = await service.call("POST", "/v1/invitations/accept", { token, name: "Ada" });
  assert.equal(json.member.role, "basic");
  assert.match((await invite("ada@example.org", "--role", "boss")).stderr, /--role is "boss"/);
  assert.match((await invite("ada@example.org", "--hours", "0")).stderr, /from 1 to 720/);
});

test("quotas are set for members and accounts, and show who holds what", async (t) => {
  const service = await simulatedService(t);
  const run = (...args: string[]) => freehold([...args, "--data", service.dataFolder]);
  const ada = await join(service, "dev", "Ada");
  await ada.call("POST", "/v1/pods", { imageName: "i", gpuTypeIds: ["NVIDIA A40"], gpuCount: 2 });
  await run("quota", "set", "--members", "--gpus", "4", "--cost-per-hr", "5");
  await run("quota", "set", "--members", "--reserved-gpus", "3");
  const { stdout, stderr, code } = await run("quota", "set", "Ada", "--gpu-type", "NVIDIA A40=1");
  assert.equal(code, 0, stderr);
  assert.match(stdout, /^Ada +2\/4 +NVIDIA A40 2\/1 +0\/3 +1 .* \$0\.\d+\/\$5\.00$/m);
  assert.match(stdout, /^\(no member\) +0 +- +0 /m);
  assert.match(stdout, /^Default of a member: 4 GPUs, 3 reserved GPUs, 5 dollars per hour$/m);
  assert.match(stdout, /^Ada is over: 2 of 1 GPUs of type NVIDIA A40$/m);
  await run("projects", "create", "--name", "vision", "--member-ids", ada.member.id);
  const guaranteed = ["quota", "set", "--project", "vision", "--guaranteed"];
  assert.match(
    (await run(...guaranteed, "NVIDIA A40=3")).stdout,
    /^Project vision is guaranteed 3 NVIDIA A40: 2 in use, 1 free$/m,
  );
  assert.match((await run(...guaranteed, "A40")).stderr, /a type and a number, as "NVIDIA A40=2"/);
  assert.match((await run(...guaranteed, "NVIDIA A40=none")).stderr, /a whole number$/m);
  const weighted = await run("quota", "set", "--project", "vision", "--weight", "3");
  assert.match(
    weighted.stdout,
    /^Project vision has used \d+(\.\d)? GPU-hours, \d+% of all, weight 3$/m,
  );
  assert.match(weighted.stdout, /^Without a project: .*, weight 1$/m);
  const misplaced = await run("quota", "set", "Ada", "--guaranteed", "NVIDIA A40=1");
  assert.match(misplaced.stderr, /--guaranteed takes --project NAME/);
  const { id } = (await service.call("GET", "/v1/account")).json;
  assert.match((await run("quota", "set", "--account", id, "--pods", "9")).stdout, / 1\/9 /);
  await run("quota", "set", "Ada", "--gpu-type", "NVIDIA A40=default", "--gpus", "none");
  const { limits, ownLimits } = JSON.parse((await run("quota", "--json")).stdout).members[0];
  assert.deepEqual([limits, ownLimits], [{ costPerHr: 5, reservedGpus: 3 }, ["gpus"]]);
  assert.match(
    (await run("quota", "set", "--gpus", "4")).stderr,
    /takes a member, --members, --project NAME or/,
  );
  assert.match((await run("quota", "set", "Ada")).stderr, /takes at least one limit/);
  assert.match((await run("quota", "set", "Bob", "--gpus", "1")).stderr, /no member "Bob"/);
  const wrong = await run("quota", "set", "--members", "--gpus", "default");
  assert.match(wrong.stderr, /--gpus is "default"; it takes a number or none/);
});

test("the operator sets the terms of a project of another account", async (t) => {
  const service = await simulatedService(t);
  const { json: other } = await service.call("POST", "/v1/accounts", { name: "other" });
  const { json: key } = await service.call("POST", `/v1/accounts/${other.id}/keys`, { name: "k" });
  const as = { authorization: `Bearer ${key.key}` };
  await service.call("POST", "/v1/projects", { name: "speech" }, as);
  const set = (...args: string[]) =>
    freehold(["quota", "set", "--account", other.id, ...args, "--data", service.dataFolder]);
  const { stdout, stderr } = await set(
    ...["--project", "speech", "--weight", "5", "--guaranteed", "NVIDIA A40=1"],
  );
  assert.match(stdout, /^Project speech is guaranteed 1 NVIDIA A40: /m, stderr);
  assert.match(stdout, /^Project speech has used 0 GPU-hours, 0% of all, weight 5$/m);
  const limited = await set("--project", "speech", "--weight", "5", "--gpus", "1");
  assert.match(limited.stderr, /an admin of the account sets the limits of its projects/);
  assert.match((await set("--project", "sound", "--weight", "5")).stderr, /no project "sound"/);
  assert.match(
    (await set("Ada", "--project", "speech", "--weight", "5")).stderr,
    /quota set takes/,
  );
});

test("GPUs are reserved from a time on, as a person writes it", async (t) => {
  const service = await startService(t);
  const run = (...args: string[]) => freehold([...args, "--data", service.dataFolder]);
  const { id } = (await service.call("GET", "/v1/account")).json;
  const limits = { reservedGpus: 4 };
  await service.call("PATCH", `/v1/accounts/${id}/quota`, limits);
  const a40 = ["reserve", "--gpu", "NVIDIA A40"];
  const { stdout, stderr } = await run(
    ...[...a40, "--count", "2", "--from", "tomorrow 09:00", "--for", "90m"],
  );
  const time = String.raw`\d{4}-\d{2}-\d{2} `;
  const sentence = `^Reserved 2 x NVIDIA A40 for .* from ${time}09:00 until ${time}10:30: \\w+$`;
  assert.match(stdout, new RegExp(sentence, "m"), stderr);
  const labeled = ["--label", "team=vision", "--label", "run=a=b"];
  const third = await run(...a40, "--until", "in 1h", "--json", "--quiet");
  assert.equal(JSON.parse(third.stdout).gpuCount, 1);
  const second = await run(...a40, "--until", "in 1h", ...labeled, "--quiet");
  const { active, gpuCount, labels } = (
    await service.call("GET", `/v1/reservations/${second.stdout.trim()}`)
  ).json;
  assert.deepEqual([active, gpuCount], [true, 1], second.stderr);
  assert.deepEqual(labels, { team: "vision", run: "a=b" });
  const refusals: [string[], RegExp][] = [
    [["--for", "3h", "--count", "9"], /and this adds 9. Request at most 4 reserved GPUs/],
    [["--for", "3h", "--from", "soon"], /--from is "soon"; it takes a time such as/],
    [["--for", "3x"], /--for is "3x"; it takes a duration such as 3h/],
    [[], /takes --for SPAN or --until TIME/],
    [["--for", "1h", "--count", "0"], /--count is "0"; it takes a whole number from 1/],
    [["--for", "1h", "--project", "none"], /there is no project "none"/],
    [["--for", "1h", "--label", "team"], /--label is "team"; it takes NAME=VALUE/],
  ];
  for (const [args, text] of refusals) assert.match((await run(...a40, ...args)).stderr, text);
});

test("a calendar feed's address is printed once, rotated and revoked", async (t) => {
  const service = await startService(t);
  const feed = (...args: string[]) =>
    freehold(["reservations", "feed", ...args, "--data", service.dataFolder]);
  const statusOf = async (url: string) => (await fetch(url.trim())).status;
  const { stdout: first, stderr } = await feed();
  assert.match(first, /^http:\/\/.*\/v1\/reservations\.ics\?token=fhc_\w{40}\n$/, stderr);
  assert.equal(await statusOf(first), 200);
  assert.match(
    (await feed()).stdout,
    /^Your calendar feed was created at .*, and its address was printed then/,
  );
  const { stdout: second } = await feed("--rotate", "--quiet");
  assert.deepEqual([await statusOf(first), await statusOf(second)], [404, 200]);
  assert.match((await feed("--rotate", "--revoke")).stderr, /exclude each other/);
  assert.equal((await feed("--revoke")).stdout, "The calendar feed is revoked.\n");
  assert.equal(await statusOf(second), 404);
  const again = await feed("--revoke");
  assert.match(again.stderr, /There is no such calendar feed/);
  assert.equal(again.code, 3);
});
