// Tests of `freehold account` and `freehold metrics` against a running service.

import assert from "node:assert/strict";
import { test } from "node:test";
import { startService } from "../fixtures/service/service.ts";
import { freehold } from "./command.ts";

test("an account is created, credited, disabled and enabled", async (t) => {
  const service = await startService(t);
  const account = (...args: string[]) =>
    freehold(["account", ...args, ...(args.includes("--") ? [] : ["--data", service.dataFolder])]);
  const created = await account("create", "lab");
  const [secret = "", sentence = ""] = created.stdout.split("\n");
  assert.match(secret, /^fh_\w{40}$/);
  const [, id = ""] = /its id is (user_\w+)\./.exec(sentence) ?? [];
  assert.match((await account("credit", id, "12.5")).stdout, / has \$12\.50\n/);
  const data = ["--data", service.dataFolder];
  assert.match((await account("credit", ...data, "--", "lab", "-2.5")).stdout, / has \$10\.00\n/);
  assert.match((await account("disable", "lab")).stdout, / is disabled\n/);
  assert.match((await account()).stdout, /^user_\w+ +lab +disabled +\$10\.00 +\$0\.00 /m);
  assert.match((await account("enable", id)).stdout, / is enabled\n/);
  assert.match((await account("list")).stdout, /^user_\w+ +first +enabled +unlimited /m);
  const listed = JSON.parse((await account("list", "--json")).stdout);
  assert.deepEqual(
    listed.map(({ name, balance }: { name: string; balance: number }) => [name, balance]),
    [
      ["first", 0],
      ["lab", 10],
    ],
  );
  const metrics = await freehold(["metrics", "freehold_machines", ...data]);
  assert.match(metrics.stdout, /^METRIC +LABELS +VALUE\nfreehold_machines +online=\w+ +\d+$/m);
  const waits = await freehold(["metrics", "wait_seconds", "--json", ...data]);
  assert.match(waits.stdout, /"freehold_job_queue_wait_seconds_bucket"/);
  assert.equal((await freehold(["metrics", "no_such_metric", ...data])).code, 3);
  const slip = await account("credit", id, "much");
  assert.equal(slip.stderr, 'freehold: "much" is not an amount in dollars, such as 25\n');
  assert.match((await account("credit", id)).stderr, /missing required argument 'dollars'; /);
});
