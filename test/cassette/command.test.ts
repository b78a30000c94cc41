// The commands `freehold record` and `freehold replay`: a command that they run, and what can be wrong.

import assert from "node:assert/strict";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import https from "node:https";
import { type AddressInfo, createServer } from "node:net";
import path from "node:path";
import { test } from "node:test";
import { systemClock } from "../../src/base/clock.ts";
import { readCassette } from "../../src/cassette/format/read-cassette.ts";
import { openAuthority } from "../../src/intercept/authority.ts";
import { freehold, start } from "../cli/command.ts";
import { addCleanup } from "../fixtures/cleanup.ts";
import { startService } from "../fixtures/service/service.ts";
import { emptyFolder } from "./empty-folder.ts";

const FREE = ["--listen", "127.0.0.1:0"];

/** Prints the account's balance, as a client that reads the variables. */
const CLIENT = `const { FREEHOLD_URL, RUNPOD_API_KEY } = process.env;
const headers = { authorization: "Bearer " + RUNPOD_API_KEY };
const answer = await fetch(FREEHOLD_URL + "/v1/" + process.argv[2], { headers });
console.log((await answer.text()).slice(0, 200));
process.exit(answer.ok ? 0 : 7);
`;

test("record and replay run a command that is pointed at them", async (t) => {
  const folder = emptyFolder(t);
  const service = await startService(t);
  const cassette = path.join(folder, "a.jsonl");
  const client = path.join(folder, "client.mjs");
  writeFileSync(client, CLIENT);
  const command = (noun: string) => ["--", process.execPath, client, noun];
  const upstream = ["--upstream", service.origin, "--output", cassette, ...FREE];
  const env = { RUNPOD_API_KEY: service.key };
  const recorded = await freehold(["record", ...upstream, ...command("account")], { env });
  assert.equal(recorded.code, 0, recorded.stderr);
  assert.equal(recorded.stderr, `1 calls are in ${cassette}\n`);
  const replayed = await freehold(["replay", cassette, ...FREE, ...command("account")]);
  assert.equal(replayed.code, 0, replayed.stderr);
  assert.deepEqual(
    Object.keys(JSON.parse(replayed.stdout)),
    Object.keys(JSON.parse(recorded.stdout)),
  );
  assert.match(replayed.stderr, /^1 of 1 recorded calls were answered$/m);
  const other = await freehold(["replay", cassette, ...FREE, ...command("pods")]);
  assert.equal(other.code, 7);
  assert.match(other.stderr, /GET \/v1\/pods is not in the cassette/);

  const again = await freehold(["record", ...upstream, ...command("account")], { env });
  assert.equal(again.code, 1);
  assert.match(again.stderr, /a\.jsonl exists; name another file, or replace it with --force/);
});

test("a recording that is killed leaves every call that was answered", async (t) => {
  const cassette = path.join(emptyFolder(t), "a.jsonl");
  const { origin: upstream, key } = await startService(t);
  const recorder = start(["record", "--upstream", upstream, "--output", cassette, ...FREE]);
  t.after(() => recorder.kill("SIGKILL"));
  const [line] = (await once(recorder.stdout!, "data")) as [Buffer];
  const [, origin] = /records at (\S+);/.exec(`${line}`)!;
  for (const noun of ["account", "pods", "endpoints"]) {
    const answer = await fetch(`${origin}/v1/${noun}`, { headers: { authorization: key } });
    assert.equal(answer.status, 200);
    await answer.text();
  }
  recorder.kill("SIGKILL");
  await once(recorder, "exit");
  const paths = readCassette(cassette).calls.map((call) => call.path);
  assert.deepEqual(paths, ["/v1/account", "/v1/pods", "/v1/endpoints"]);
  assert.ok(!readFileSync(cassette, "utf8").includes(key));
});

test("an upstream that cannot be reached gets a sentence, and no cassette", async (t) => {
  const folder = emptyFolder(t);
  const output = ["--output", path.join(folder, "a.jsonl"), ...FREE];
  const refusalOf = async (...upstreams: string[]) => {
    const flags = upstreams.flatMap((each) => ["--upstream", each]);
    const { code, stderr } = await freehold(["record", ...flags, ...output]);
    return `${code} ${stderr}`;
  };
  const closed = createServer().listen(0, "127.0.0.1");
  await once(closed, "listening");
  const { port } = closed.address() as AddressInfo;
  closed.close();
  await once(closed, "close");
  assert.match(
    await refusalOf(`http://127.0.0.1:${port}`),
    /^4 .*127\.0\.0\.1:\d+ does not answer/,
  );

  openAuthority(folder, ["cloud.test"], systemClock);
  // A certificate that signs itself.
  const pem = readFileSync(path.join(folder, "ca.pem"));
  const secure = https.createServer({ cert: pem, key: pem });
  addCleanup(t, () => void secure.close());
  await new Promise<void>((resolve) => secure.listen(0, "127.0.0.1", resolve));
  const address = `https://127.0.0.1:${(secure.address() as AddressInfo).port}`;
  assert.match(
    await refusalOf(address),
    /^4 .*certificate .* is not accepted .*NODE_EXTRA_CA_CERTS/,
  );

  const { origin } = await startService(t);
  const plain = origin.replace("http:", "https:");
  assert.match(await refusalOf(plain), /^4 .* does not speak TLS; is it http:/);
  assert.match(await refusalOf("ftp://a"), /^2 .*it takes a URL such as https:/);
  assert.match(await refusalOf(origin, origin), /^2 .*a URL for all paths twice/);
  assert.throws(() => readFileSync(path.join(folder, "a.jsonl")), /ENOENT/);
});

test("a port that is taken gets a sentence", async (t) => {
  const file = path.join(emptyFolder(t), "a.jsonl");
  writeFileSync(file, '{"cassette":"freehold","version":1}\n');
  const { origin } = await startService(t);
  const listen = ["--listen", origin.replace("http://", "")];
  const { code, stderr } = await freehold(["replay", file, ...listen]);
  assert.equal(code, 1);
  assert.match(stderr, /port \d+ on 127\.0\.0\.1 is taken; .*choose another: --listen/);
});
