// Tests of `freehold keys` and `freehold why` against a running service.

import assert from "node:assert/strict";
import { test } from "node:test";
import { startService } from "../fixtures/service/service.ts";
import { freehold } from "./command.ts";

test("a key is created, used, disabled, enabled and revoked", async (t) => {
  const service = await startService(t);
  const endpoint = await service.makeEndpoint();
  const key = (...args: string[]) => freehold(["keys", ...args, "--data", service.dataFolder]);
  const created = await key("create", "for the shop", "--endpoint", endpoint);
  assert.equal(created.code, 0, created.stderr);
  const [secret = "", output = ""] = created.stdout.split("\n");
  assert.match(secret, /^fh_\w{40}$/);
  assert.match(
    output,
    new RegExp(`may rest none, .*queue write, endpoints ${endpoint}; its id is`),
  );
  const id = /its id is (\w+)/.exec(output)![1]!;
  const opens = async (address: string) => {
    const headers = { authorization: secret };
    return (await service.call("GET", address, undefined, headers)).status;
  };
  const health = `/v2/${endpoint}/health`;
  assert.equal(await opens(health), 200);
  assert.equal(await opens("/v1/endpoints"), 403);

  const listed = await key("list");
  assert.match(
    listed.stdout,
    new RegExp(`^${id} +for the shop +\\.\\.\\.${secret.slice(-4)} +enabled +may rest none, `, "m"),
  );
  assert.ok(!listed.stdout.includes(secret));

  assert.equal((await key("disable", id)).stdout, `API key ${id} is disabled\n`);
  assert.equal(await opens(health), 401);
  assert.equal((await key("enable", id)).stdout, `API key ${id} is enabled\n`);
  assert.equal(await opens(health), 200);
  assert.equal((await key("revoke", id)).stdout, `API key ${id} is deleted\n`);
  assert.equal(await opens(health), 401);
  const again = await key("revoke", id);
  assert.equal(again.code, 3);
  assert.equal(again.stderr, `freehold: there is no API key "${id}"\n`);
});

test("a key without restrictions has full access, and --json prints the key", async (t) => {
  const service = await startService(t);
  const labeled = ["--label", "team=vision", "--label", "run=1"];
  const args = ["key", "create", "all", ...labeled, "--json", "--data", service.dataFolder];
  const { key, permissions, labels } = JSON.parse((await freehold(args)).stdout);
  assert.deepEqual(labels, { team: "vision", run: "1" });
  assert.deepEqual(permissions, {
    rest: "write",
    graphql: "write",
    queue: "write",
    endpoints: null,
  });
  const { status } = await service.call("GET", "/v1/keys", undefined, { authorization: key });
  assert.equal(status, 200);
});

test("a key is limited to an endpoint by its name", async (t) => {
  const service = await startService(t);
  const endpoint = await service.makeEndpoint();
  const { name } = (await service.call("GET", `/v1/endpoints/${endpoint}`)).json;
  const args = ["keys", "create", "shop", "--endpoint", name, "--json"];
  const { stdout, stderr } = await freehold([...args, "--data", service.dataFolder]);
  assert.deepEqual(JSON.parse(stdout).permissions.endpoints, [endpoint], stderr);
});

const slips: [args: string[], sentence: RegExp, code?: number][] = [
  [["keys", "disabel", "x"], /keys has no subcommand "disabel"; did you mean disable\?/],
  [["keys", "create"], /keys create takes one name/],
  [["keys", "list", "all"], /too many arguments/],
  [["keys", "create", "a", "--rest", "reed"], /rest.*none, read, write|"none", "read", "write"/, 1],
  [["keys", "create", "a", "--endpoint", "nowhere"], /there is no endpoint "nowhere"/, 3],
  [["keys", "create", "a", "--rest", "read", "--permissions", "{}"], /in options, not both/],
  [
    ["volumes", "create"],
    /^freehold: volumes create needs --name, --size and --data-center-id; `freehold help volumes create` /,
  ],
  [
    ["schedules", "create", "--body", '{"name":"a","cron":"* * * * *"}'],
    /needs --endpoint-id and --input;/,
  ],
  [["run", "hello", "@none.json"], /^freehold: there is no file none\.json$/m, 3],
  [["why"], /missing required argument 'id'; `freehold help why`/],
  [
    ["why", "no-such-thing"],
    /There is no job, worker, Pod, endpoint or schedule with the id or name no-such-thing\./,
    3,
  ],
];
test("a slip gets one sentence that helps", async (t) => {
  const service = await startService(t);
  for (const [args, sentence, exitCode = 2] of slips) {
    await t.test(`freehold ${args.join(" ")}`, async () => {
      const { code, stdout, stderr } = await freehold([...args, "--data", service.dataFolder]);
      assert.equal(code, exitCode);
      assert.equal(stdout, "");
      assert.match(stderr, sentence);
    });
  }
});

test("why prints the reason, its evidence and the next step", async (t) => {
  const service = await startService(t);
  const endpoint = await service.makeEndpoint({ spec: { workersMax: 0 } });
  const run = await service.call("POST", `/v2/${endpoint}/run`, { input: {} });
  const ask = (...args: string[]) => freehold(["why", ...args, "--data", service.dataFolder]);
  const { code, stdout, stderr } = await ask(run.json.id);
  assert.equal(code, 0, stderr);
  const answer = JSON.parse((await ask(run.json.id, "--json")).stdout);
  assert.equal(answer.code, "no_workers_allowed");
  assert.match(
    stdout,
    new RegExp(`^job ${run.json.id}  queued .* so far, IN_QUEUE\n\n.*workersMax`),
  );
  assert.match(stdout, /^ {2}workers: none; at most 0$/m);
  assert.ok(stdout.endsWith(`\n\nNext: ${answer.next}\n`), stdout);
  assert.match((await ask(endpoint)).stdout, /workersMax/);
});
