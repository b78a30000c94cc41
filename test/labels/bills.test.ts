// Costs by label, member and project, and the statement of a month: every line adds up to the ledger.

import assert from "node:assert/strict";
import { test } from "node:test";
import { join } from "../accounts/join.ts";
import { freehold } from "../cli/command.ts";
import type { TestService } from "../fixtures/service/service.ts";
import { advance, virtual } from "../fixtures/service/virtual-service.ts";
import { until } from "../fixtures/until.ts";
import { podsOf, simulatedService } from "../pods/fixture.ts";

const micros = (dollars: number) => Math.round(dollars * 1e6);

type Amounts = { amount: number }[];
const sumOf = (records: Amounts) => records.reduce((sum, { amount }) => sum + micros(amount), 0);

const cpu = { imageName: "i", computeType: "CPU", volumeInGb: 10 };

/** A Pod whose label changes within an hour, one without, and a volume of a member in a project. */
async function spendSome(t: Parameters<typeof simulatedService>[0]) {
  const service = await simulatedService(t, virtual);
  const { call } = service;
  // All of it happens in one month.
  const monthIn = (hours: number) => new Date(Date.now() + hours * 3_600_000).getUTCMonth();
  if (monthIn(0) !== monthIn(4)) await advance(service, "5h");
  const ada = await join(service, "dev", "Ada");
  const project = await call("POST", "/v1/projects", { name: "<b>", memberIds: [ada.member.id] });
  assert.equal(project.status, 201, project.text);
  const credit = { amount: 100, note: "for <November>" };
  assert.equal((await call("POST", "/v1/balance/credits", credit)).status, 201);
  const { json: pod } = await call("POST", "/v1/pods", { ...cpu, labels: { team: "search" } });
  const { json: plain } = await call("POST", "/v1/pods", cpu);
  const volume = { name: "v", size: 100, dataCenterId: "EU-RO-1", labels: { team: "" } };
  const { json: stored } = await ada.call("POST", "/v1/networkvolumes", volume);
  for (const { id } of [pod, plain]) await until(podsOf(service).reached, id);
  await advance(service, "20m");
  await call("PATCH", `/v1/pods/${pod.id}`, { labels: { team: "ads" } });
  await advance(service, "100m");
  for (const { id } of [pod, plain]) await call("DELETE", `/v1/pods/${id}`);
  assert.equal((await call("DELETE", `/v1/networkvolumes/${stored.id}`)).status, 204);
  await until(async () => {
    const { json } = await call("GET", "/v1/balance");
    return json.spendPerHr === 0;
  });
  return { service, ada, podId: pod.id as string };
}

async function statement({ call }: TestService, query: string) {
  const { json, status, text } = await call("GET", `/v1/billing/statement?${query}`);
  assert.equal(status, 200, text);
  assert.equal(sumOf(json.lines), micros(json.total), query);
  assert.equal(micros(json.opening) - micros(json.total), micros(json.closing), query);
  return json;
}

test("costs stay with the label and the member of their time, and every bill adds up", async (t) => {
  const { service, ada, podId } = await spendSome(t);
  const { call } = service;
  const records = async (path: string, query: string) =>
    (await call("GET", `/v1/billing/${path}?bucketSize=year&${query}`)).json;

  const byLabel = await records("pods", "grouping=label:team");
  const labels = byLabel.map((each: { label: string | null }) => each.label);
  assert.deepEqual(labels, [null, "ads", "search"]);
  const ms = (label: string) =>
    byLabel.find((each: { label: string }) => each.label === label).timeBilledMs;
  // The virtual clock flows a little by itself.
  assert.ok(ms("search") > 18 * 60_000 && ms("search") < 22 * 60_000, `${ms("search")} ms`);
  assert.ok(ms("ads") > 98 * 60_000, `${ms("ads")} ms`);
  const one = await records("pods", `grouping=label:team&podId=${podId}`);
  assert.equal(sumOf(one), sumOf(await records("pods", `podId=${podId}`)));
  const total = sumOf(await records("pods", "grouping=gpuTypeId"));
  for (const grouping of ["podId", "createdBy", "label:team", "label:none"])
    assert.equal(sumOf(await records("pods", `grouping=${grouping}`)), total, grouping);

  const [ofAda] = await records("networkvolumes", "grouping=createdBy");
  assert.deepEqual([ofAda.memberId, ofAda.memberName], [ada.member.id, "Ada"]);
  const [empty] = await records("networkvolumes", "grouping=label:team");
  assert.equal(empty.label, "");
  const table = await call("GET", "/v1/billing/pods?grouping=label:team&format=csv");
  assert.match(table.text, /^amount,time,timeBilledMs,diskSpaceBilledGb,label\r\n.*,\r\n/);
  const refused = await call("GET", "/v1/billing/pods?grouping=label:");
  assert.match(refused.json.error, /"grouping" must be .*label: and a name, such as label:team/);
});

test("a statement closes with the balance of the ledger in every grouping, and prints", async (t) => {
  const { service, ada } = await spendSome(t);
  const groupings = ["resource", "kind", "createdBy", "project", "label:team"];
  const closings = new Set<number>();
  for (const grouping of groupings) {
    for (const bucketSize of ["day", "month"]) {
      const { closing } = await statement(service, `grouping=${grouping}&bucketSize=${bucketSize}`);
      closings.add(micros(closing));
    }
  }
  const { rows } = await import("../../src/store/engine/statement.ts");
  const [posted] = await service.service.store.read(() =>
    rows<{ micros: number }>(
      "select sum(micros) as micros from ledger_balance where book = 'balance'",
    ),
  );
  // Nothing is metered any more.
  assert.deepEqual([...closings], [Number(posted!.micros)]);

  const byProject = await statement(service, "grouping=project");
  const volume = byProject.lines.find(({ kind }: { kind: string }) => kind === "networkVolume");
  assert.equal(volume.projectName, "<b>");
  const byMember = await statement(service, "grouping=createdBy");
  const members = byMember.lines.map((line: { memberId: string | null }) => line.memberId);
  assert.ok(members.includes(ada.member.id) && members.includes(null));
  const first = await statement(service, "month=2020-01");
  assert.deepEqual([first.opening, first.closing, first.lines], [0, 0, []]);

  const page = await service.call("GET", "/v1/billing/statement?format=html&grouping=project");
  assert.match(page.headers.get("content-type")!, /^text\/html/);
  assert.match(page.text, /for &#60;November&#62;/);
  assert.doesNotMatch(page.text, /<b>/);
  for (const month of ["2026-13", "9999-01"]) {
    const refused = await service.call("GET", `/v1/billing/statement?month=${month}`);
    assert.deepEqual([refused.status, refused.json.code], [400, "invalid_query"]);
  }
  const env = { FREEHOLD_URL: service.origin, FREEHOLD_KEY: service.key };
  const printed = await freehold(["bill", "--by", "label:team"], { env });
  assert.match(printed.stdout, /pod +ads +\$0\.\d{6}\n/);
  assert.match(printed.stdout, /credits +for <November> +-\$100\.000000\n/);
  const csv = await freehold(["bill", "--by", "member", "--csv"], { env });
  assert.match(csv.stdout, /^time,kind,memberId,memberName,note,amount\r\n/);
});
