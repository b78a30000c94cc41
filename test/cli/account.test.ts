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
  const [secret = "", , line = ""] = created.stdout.split("\n");
  assert.match(secret, /^fh_\w{40}$/);
  assert.match(line, /^user_\w+ {2}lab {2}enabled {2}0 dollars, 0 per hour$/);
  const id = line.split(" ")[0]!;
  assert.match((await account("credit", id, "12.5")).stdout, / 12\.5 dollars, /);
  const data = ["--data", service.dataFolder];
  assert.match((await account("credit", ...data, "--", id, "-2.5")).stdout, / 10 dollars, /);
  assert.match((await account("disable", id)).stdout, / disabled /);
  assert.match((await account("enable", id)).stdout, / enabled /);
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
  assert.match(
    (await account("credit", id)).stderr,
    /takes an account's id and an amount of dollars/,
  );
});
