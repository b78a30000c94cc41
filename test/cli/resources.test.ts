// Tests of the commands on resources: lists, single items, changes, names and refusals.

import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { test } from "node:test";
import { resources } from "../../src/cli/resources/resource-table.ts";
import { startService, type TestService } from "../fixtures/service/service.ts";
import { startReceiver } from "../webhook/receiver.ts";
import { freehold } from "./command.ts";

const on =
  ({ dataFolder }: TestService) =>
  (...args: string[]) =>
    freehold([...args, "--data", dataFolder]);

test("an endpoint is created, listed, read, changed and deleted, by its id and by its name", async (t) => {
  const service = await startService(t);
  const run = on(service);
  const template = ["--name", "worker", "--image-name", "example/worker", "--is-serverless"];
  const env = ["--env", "MODEL=a=b", "--env", "MODE=fast", "--docker-start-cmd", "python"];
  const templateId = (await run("templates", "create", ...template, ...env, "-q")).stdout.trim();
  const { json } = await service.call("GET", `/v1/templates/${templateId}`);
  assert.deepEqual(json.env, { MODEL: "a=b", MODE: "fast" });
  assert.deepEqual(json.dockerStartCmd, ["python"]);

  const flags = ["--template-id", templateId, "--name", "shop", "--workers-max", "2"];
  const created = await run("endpoints", "create", ...flags, "--gpu-type-ids", "NVIDIA A40", "-q");
  assert.equal(created.code, 0, created.stderr);
  const id = created.stdout.trim();

  const listed = await run("endpoints");
  assert.match(listed.stdout, /^ID +NAME +TYPE +COMPUTE +WORKERS +RELEASE +AGE$/m);
  assert.match(listed.stdout, new RegExp(`^${id} +shop +QB +GPU +0-2 +1 `, "m"));
  assert.ok((await run("endpoints", "list", "--quiet")).stdout.split("\n").includes(id));
  const all = JSON.parse((await run("endpoints", "list", "--json")).stdout);
  assert.ok(all.some((each: { id: string }) => each.id === id));

  for (const word of [id, "shop"]) {
    assert.equal(JSON.parse((await run("endpoints", "get", word, "--json")).stdout).id, id);
  }
  assert.match((await run("endpoints", "get", "shop")).stdout, /^gpuTypeIds:\n {2}- NVIDIA A40$/m);
  const changed = await run("endpoints", "update", "shop", "--workers-max", "5", "--json");
  assert.equal(JSON.parse(changed.stdout).workersMax, 5);

  assert.equal((await run("endpoints", "delete", "shop")).stdout, `endpoint ${id} is deleted\n`);
  assert.equal((await service.call("GET", `/v1/endpoints/${id}`)).status, 404);
});

test("a request comes from --body, a file or the standard input, and flags change it", async (t) => {
  const service = await startService(t);
  const body = '{"name":"from the body","description":"a note"}';
  const args = ["secrets", "create", "--name", "TOKEN", "--value", "-", "--body", body];
  const shell = { input: "line one\nline two\n" };
  const created = await freehold([...args, "--data", service.dataFolder, "--json"], shell);
  assert.equal(created.code, 0, created.stderr);
  const { id, name, description } = JSON.parse(created.stdout);
  assert.deepEqual([name, description], ["TOKEN", "a note"]);
  const deleted = await on(service)("secrets", "delete", "TOKEN", "-q");
  assert.equal(deleted.stdout, `${id}\n`);
});

test("a new key is printed once, and its id afterward", async (t) => {
  const service = await startService(t);
  const run = on(service);
  const permissions = '{"queue":"read"}';
  const created = await run("keys", "create", "--name", "ci", "--permissions", permissions, "-q");
  assert.match(created.stdout, /^fh_\w{40}\n$/);
  const { status } = await service.call("GET", "/v1/keys", undefined, {
    authorization: created.stdout.trim(),
  });
  assert.equal(status, 403);
  assert.match((await run("keys")).stdout, /^\w+ +ci +\.\.\.\w{4} +enabled /m);
});

test("jobs and workers are listed by the endpoint's name, and jobs are cancelled", async (t) => {
  const service = await startService(t);
  const run = on(service);
  const endpoint = await service.makeEndpoint();
  await service.call("PATCH", `/v1/endpoints/${endpoint}`, { name: "queue" });
  const { json: job } = await service.call("POST", `/v2/${endpoint}/run`, { input: {} });
  const worker = await service.makeWorker(endpoint);
  const filters = ["--endpoint-id", "queue", "--status", "IN_QUEUE"];
  assert.equal((await run("jobs", "list", ...filters, "-q")).stdout, `${job.id}\n`);
  const found = async (...words: string[]) => (await run("jobs", "list", "-q", ...words)).stdout;
  assert.equal(await found("--since", "1h", "--id", job.id.slice(0, 13)), `${job.id}\n`);
  assert.equal(await found("--until", "1h"), "");
  assert.match((await run("workers", "list", "queue")).stdout, new RegExp(`^${worker.id} `, "m"));
  assert.equal((await run("jobs", "cancel", job.id)).stdout, `job ${job.id} is cancelled\n`);
  assert.match((await run("jobs", "get", job.id)).stdout, /^status: CANCELLED$/m);
  assert.equal((await run("jobs", "list", ...filters, "-q")).stdout, "");
});

test("all jobs that match filters are exported, cancelled and retried", async (t) => {
  const service = await startService(t);
  const run = on(service);
  const endpoint = await service.makeEndpoint();
  await service.call("PATCH", `/v1/endpoints/${endpoint}`, { name: "queue" });
  const submit = async (): Promise<string> =>
    (await service.call("POST", `/v2/${endpoint}/run`, { input: { n: 1 } })).json.id;
  const [failed, waiting] = [await submit(), await submit()];
  const worker = await service.makeWorker(endpoint);
  await worker.call("job-take");
  await worker.call(`job-done/${failed}`, "", '{"error":"no luck"}');
  const exported = await run("jobs", "export", "--endpoint-id", "queue");
  const lines = exported.stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  assert.deepEqual(
    lines.map(({ id, input }) => [id, input]),
    [
      [failed, { n: 1 }],
      [waiting, { n: 1 }],
    ],
  );
  const file = path.join(mkdtempSync(path.join(tmpdir(), "freehold-export-")), "jobs.csv");
  t.after(() => rmSync(path.dirname(file), { recursive: true }));
  await run("jobs", "export", "--status", "FAILED", "--format", "csv", "-o", file);
  assert.match(readFileSync(file, "utf8"), new RegExp(`^id,.*\r\n${failed},.*no luck\r\n$`, "s"));
  const cancelled = await run("jobs", "cancel", "--status", "IN_QUEUE");
  assert.equal(cancelled.stdout, "cancelled 1 job\n", cancelled.stderr);
  const retried = await run("retry", "--error", "NO LUCK", "--since", "1h", "--json");
  assert.deepEqual(JSON.parse(retried.stdout).done, 1);
  const { json } = await service.call("GET", `/v1/jobs/${failed}`);
  assert.equal(json.status, "IN_QUEUE");
  const refusals: [string[], number, RegExp][] = [
    [["retry"], 2, /ids of jobs, or filters, or --all/],
    [["retry", failed, "--all"], 2, /ids of jobs, or filters, or --all/],
    [["retry", "--quarantined", "maybe"], 2, /true or false/],
    [["retry", "--status", "COMPLETED"], 1, /changes no job that is COMPLETED/],
    [["jobs", "cancel", "--since", "yesterday"], 1, /"since" must be/],
    [["jobs", "export", "--format", "xml"], 1, /"format" must be/],
  ];
  for (const [words, code, sentence] of refusals) {
    const answer = await run(...words);
    assert.deepEqual([answer.code, answer.stdout], [code, ""], words.join(" "));
    assert.match(answer.stderr, sentence);
  }
});

test("what others wrote does not control the terminal", async (t) => {
  const service = await startService(t);
  const endpoint = await service.makeEndpoint();
  await service.call("PATCH", `/v1/endpoints/${endpoint}`, { name: "a\u001b[2Jb\nc" });
  const { stdout } = await on(service)("endpoints");
  assert.match(stdout, new RegExp(`^${endpoint} +ab c +QB`, "m"));
});

test("two endpoints with one name need an id", async (t) => {
  const service = await startService(t);
  const ids = [await service.makeEndpoint(), await service.makeEndpoint()];
  for (const id of ids) await service.call("PATCH", `/v1/endpoints/${id}`, { name: "twin" });
  for (const args of [
    ["endpoints", "get", "twin"],
    ["run", "twin"],
    ["endpoints", "delete", "twin"],
  ]) {
    const { code, stderr } = await on(service)(...args);
    assert.equal(code, 2);
    assert.match(stderr, /2 endpoints are named "twin"; use an id: /);
    for (const id of ids) assert.ok(stderr.includes(id), stderr);
  }
  const { stdout } = await on(service)("endpoints", "get", ids[0]!, "-q");
  assert.equal(stdout, `${ids[0]}\n`);
});

test("words are resolved before anything is deleted", async (t) => {
  const service = await startService(t);
  const id = await service.makeEndpoint();
  const { code } = await on(service)("endpoints", "delete", id, "none");
  assert.equal(code, 3);
  assert.equal((await service.call("GET", `/v1/endpoints/${id}`)).status, 200);
});

const refusals: [args: string[], code: number, sentence: RegExp][] = [
  [["pods", "lst"], 2, /pods has no subcommand "lst"; did you mean list\?/],
  [["pods", "get"], 2, /missing required argument 'pod'; `freehold help pods get`/],
  [["pods", "list", "all"], 2, /too many arguments/],
  [["pods", "--jsno"], 2, /unknown option '--jsno'; did you mean --json\?/],
  [["pods", "get", "none"], 3, /there is no Pod "none"/],
  [["pods", "get", ""], 2, /"" is no id/],
  [["jobs", "get", "none"], 3, /none/],
  [["templates", "update", "none"], 2, /update needs an option that changes something/],
  [
    ["endpoints", "create", "--workers-max", "many"],
    2,
    /--workers-max is "many"; it takes a number/,
  ],
  [["endpoints", "create", "--workers-max", "1"], 2, /endpoints create needs --template-id; /],
  [["endpoints", "create", "--body", "{"], 2, /--body is not valid JSON/],
  [["endpoints", "create", "--body", "[]"], 2, /--body takes a JSON object/],
  [["endpoints", "create", "--body", "@/none"], 3, /there is no file \/none/],
  [["templates", "create", "--env", "X"], 2, /--env is "X"; it takes NAME=VALUE/],
];
test("a refusal is one sentence", async (t) => {
  const service = await startService(t);
  for (const [args, exitCode, sentence] of refusals) {
    await t.test(`freehold ${args.join(" ")}: exit code ${exitCode}`, async () => {
      const { code, stdout, stderr } = await on(service)(...args);
      assert.match(stderr, sentence);
      assert.equal(code, exitCode);
      assert.equal(stdout, "");
      assert.equal(stderr.trimEnd().split("\n").length, 1, stderr);
    });
  }
});

test("colors are for terminals, and NO_COLOR turns them off", async (t) => {
  const service = await startService(t);
  await service.makeEndpoint();
  const args = ["endpoints", "--data", service.dataFolder];
  const plain = await freehold(args);
  assert.ok(!plain.stdout.includes("\u001b"));
  const forced = await freehold(args, { env: { FORCE_COLOR: "1" } });
  assert.ok(forced.stdout.startsWith("\u001b[1mID"), forced.stdout);
  const none = await freehold(args, { env: { NO_COLOR: "1" } });
  assert.equal(none.stdout.split("\n")[0], plain.stdout.split("\n")[0]);
});

test("a schedule is created, run, paused and deleted by its name", async (t) => {
  const service = await startService(t);
  const run = on(service);
  const endpoint = await service.makeEndpoint();
  const flags = ["--name", "nightly", "--endpoint-id", endpoint, "--input", '{"n":1}'];
  const times = ["--cron", "0 2 * * *", "--time-zone", "Europe/Berlin"];
  const created = await run("schedule", "create", ...flags, ...times, "-q");
  assert.equal(created.code, 0, created.stderr);
  const id = created.stdout.trim();
  const jobId = (await run("schedule", "run", "nightly", "-q")).stdout.trim();
  assert.equal((await service.call("GET", `/v1/jobs/${jobId}`)).json.status, "IN_QUEUE");
  const listed = await run("schedule", "list", "--endpoint-id", endpoint);
  assert.match(listed.stdout, new RegExp(`^${id} +nightly .* ACTIVE .* SUBMITTED +${jobId}$`, "m"));
  const again = await run("schedule", "run", "nightly");
  assert.match(again.stdout, new RegExp(`^schedule ${id} submitted job \\S+\n$`));
  assert.equal((await run("schedule", "pause", id)).stdout, `schedule ${id} is paused\n`);
  assert.match((await run("why", "nightly")).stdout, /^The schedule was paused .* ago/);
  const refused = await run("schedule", "update", id, "--cron", "61 * * * *");
  assert.deepEqual([refused.code, refused.stdout], [1, ""]);
  assert.match(refused.stderr, /minute: 61/);
  assert.equal((await run("schedule", "delete", "nightly")).stdout, `schedule ${id} is deleted\n`);
});

test("a test of a notification rule fails unless its message is delivered", async (t) => {
  const service = await startService(t);
  const run = on(service);
  const { url } = await startReceiver(t, [200, 500]);
  const channel = { type: "webhook", url };
  const created = ["first", "second", "third"].map((name) =>
    service.call("POST", "/v1/notification-rules", { name, events: ["pod_ended"], channel }),
  );
  const [first, second] = (await Promise.all(created)).map(({ json }) => json.id as string);
  const test = (name: string, ...flags: string[]) => run("notifications", "test", name, ...flags);
  const delivered = await test("first");
  const said = `notification rule ${first} delivered its test\n`;
  assert.deepEqual([delivered.code, delivered.stdout], [0, said]);
  const refused = await test("second");
  assert.deepEqual([refused.code, refused.stdout], [6, ""]);
  assert.match(refused.stderr, new RegExp(`rule ${second} did not deliver its test: .*500`));
  const json = await test("third", "--json");
  assert.deepEqual([json.code, JSON.parse(json.stdout).state], [6, "failed"]);
});

test("a Pod that fits on no machine is refused with the reason of each", async (t) => {
  const service = await startService(t, { env: { FREEHOLD_GPUS: '{"NVIDIA A40": 1}' } });
  const pod = ["--name", "wide", "--image-name", "example/wide", "--driver", "simulated"];
  const gpus = ["--gpu-type-ids", "NVIDIA A40", "--gpu-count", "2"];
  const { code, stderr } = await on(service)("pods", "create", ...pod, ...gpus);
  assert.equal(code, 1);
  assert.match(
    stderr,
    /no instances currently available\.\nfreehold: machine \w+: it has only 1 GPU of the type NVIDIA A40, and 2 are asked for/,
  );
});

test("lists are sorted and cut, and a beginning of eight characters is an id", async (t) => {
  const service = await startService(t);
  const run = on(service);
  const ids: string[] = [];
  for (const name of ["b", "c", "a"]) {
    const template = { name, imageName: `example/${name}`, containerDiskInGb: ids.length + 1 };
    ids.push((await service.call("POST", "/v1/templates", template)).json.id);
  }
  const names = async (...args: string[]) =>
    JSON.parse((await run("templates", "list", "--own", "--json", ...args)).stdout).map(
      ({ name }: { name: string }) => name,
    );
  assert.deepEqual(await names("--sort", "name", "--limit", "2"), ["a", "b"]);
  assert.deepEqual(await names("--sort", "-containerDiskInGb"), ["a", "c", "b"]);
  const unknown = await run("templates", "--sort", "size");
  assert.equal(unknown.code, 2);
  assert.match(unknown.stderr, /--sort is "size"; the members are .*containerDiskInGb/);
  assert.match((await run("templates", "--limit", "0")).stderr, /it takes a whole number above 0/);

  const [id = ""] = ids;
  assert.match(
    (await run("templates", "get", id.slice(0, 8))).stdout,
    new RegExp(`^id: ${id}$`, "m"),
  );
  assert.equal((await run("templates", "get", id.slice(0, 7))).code, 3);
  const endpoint = await service.makeEndpoint();
  const job = (await service.call("POST", `/v2/${endpoint}/run`, { input: {} })).json.id;
  const cancelled = await run("jobs", "cancel", job.slice(0, 30));
  assert.equal(cancelled.stdout, `job ${job} is cancelled\n`);
  assert.equal((await run("jobs", "get", "nosuchjob")).code, 3);
});

test("people are invited, listed and removed, and the audit log says who did it", async (t) => {
  const run = on(await startService(t));
  const invitation = ["--email", "ada@example.org", "--role", "dev"];
  const link = (await run("invitations", "create", ...invitation, "-q")).stdout.trim();
  assert.match(link, /^http:.+\w{20}$/);
  const [{ id }] = JSON.parse((await run("invitations", "list", "--json")).stdout);
  assert.match((await run("invitations")).stdout, new RegExp(`^${id} .* dev .*-.. ..:..$`, "m"));
  const withdrawn = await run("invitations", "delete", id);
  assert.equal(withdrawn.stdout, `invitation ${id} is deleted\n`);
  assert.equal((await run("invitations", "delete", id)).code, 3);
  assert.match((await run("balance")).stdout, /^balance +no limit; \$0\.00 used so far$/m);
  assert.match((await run("pods", "create", "--help")).stdout, / --min-ram-per-gpu <number> /);
  assert.match((await run("members")).stdout, /^ID +NAME +EMAIL +ROLE +AGE$/m);
  const audit = await run("audit", "--operation", "createInvitation", "--limit", "1");
  assert.match(audit.stdout, /^20\S+ [\d:]{8} .* createInvitation +invitation.* done /m);
});

test("a quote prints costs by hour, day and month, and why nothing fits", async (t) => {
  const env = { FREEHOLD_GPUS: '{"NVIDIA A40": 1}' };
  const service = await startService(t, { env });
  const run = on(service);
  const pod = ["quote", "pod", "--image-name", "example/train", "--gpu-type-ids", "NVIDIA A40"];
  const quote = JSON.parse((await run(...pod, "--json")).stdout);
  assert.equal(quote.available, true);
  const { stdout: text } = await run(...pod);
  assert.match(text, /^1 x NVIDIA A40\n\nCOST +HOUR +DAY +MONTH\ncompute +\$/);
  const [, perHr, perDay] = /^compute +\$(\S+) +\$(\S+) /m.exec(text)!.map(Number);
  assert.deepEqual([perHr, perDay], [quote.costPerHr, Number((quote.costPerHr * 24).toFixed(4))]);
  assert.match(text, /^A machine has room for it now\.$/m);
  const two = (await run(...pod, "--gpu-count", "2")).stdout;
  assert.match(two, /^No machine has room for it now\.\n {2}machine \w+: .*GPU/m);
  const endpoint = ["--gpu-type-ids", "NVIDIA A40", "--workers-max", "3"];
  assert.match((await run("quote", "endpoint", ...endpoint)).stdout, /^all workers +\$/m);
  const volume = ["--size", "100", "--name", "data", "--data-center-id", "EU-RO-1"];
  assert.match(
    (await run("quote", "volume", ...volume)).stdout,
    /^COST .*\n(?:disks.*\n)?total +\$/,
  );
  assert.equal((await run("pods", "list", "-q")).stdout, "", "nothing is created");
});

test("every option of create and update says what it sets", async () => {
  for (const [name, { create, update }] of Object.entries(resources)) {
    for (const word of [create && "create", update && "update"]) {
      if (word === undefined) continue;
      const { stdout } = await freehold(["help", name, word]);
      const section = /^(?:Request|Options):\n(.*?)\n\n/ms.exec(stdout)?.[1] ?? "";
      assert.notEqual(section, "", `${name} ${word}`);
      assert.doesNotMatch(section, /^ *--\S+(?: \S+)? *$/m, `${name} ${word}`);
    }
  }
});

test("sandboxes and clusters are commands too", async (t) => {
  const env = { FREEHOLD_MACHINE: '{"vcpus":16,"memoryInGb":64,"diskInGb":500}' };
  const run = on(await startService(t, { env }));
  const sandbox = ["--image-name", "example/box", "--name", "box", "--labels", "team=a"];
  const id = (await run("sandboxes", "create", ...sandbox, "-q")).stdout.trim();
  assert.match((await run("sandboxes")).stdout, new RegExp(`^${id} +box +`, "m"));
  assert.equal((await run("sandboxes", "--labels", "team=b", "-q")).stdout, "");
  const refused = await run("sandboxes", "create", "--name", "box");
  assert.match(refused.stderr, /imageName|templateId/);
  assert.equal((await run("sandboxes", "delete", "box")).stdout, `sandbox ${id} is deleted\n`);
  const compute = '{"gpuTypeId":"NVIDIA A40","gpuCountPerPod":1,"podCount":2}';
  const cluster = ["--name", "duo", "--type", "TRAINING", "--image", "example/train"];
  const creation = await run("clusters", "create", ...cluster, "--compute", compute, "-q");
  assert.equal(creation.code, 0, creation.stderr);
  // Its Pods may start one after the other.
  const row = / duo +TRAINING +2 +1 x NVIDIA A40 +(?:2 \w+|1 \w+, 1 \w+) /;
  assert.match((await run("clusters")).stdout, row);
  assert.equal((await run("clusters", "delete", "duo")).code, 0);
});
