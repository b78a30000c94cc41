// `freehold quota`: who holds what of the account, and the limits; `freehold quota set` changes them.

import type { Command as Program } from "commander";
import { exitCodes, Refusal, UsageError } from "../../../base/refusal.ts";
import type { Quota, QuotaLimits, QuotaUsed } from "../../../contract/rest-v1/account/quota.ts";
import { call } from "../../client/api.ts";
import { serviceFor } from "../../context/choose-service.ts";
import { printJson, printList, write } from "../../output/answer.ts";
import { plainText } from "../../output/table.ts";
import { addCommonOptions, type CommonValues } from "../../program/common-options.ts";
import { defineCommand } from "../../program/define-command.ts";
import { dollars, keptGpusText, usedOf } from "../../resources/cells.ts";
import { findItem } from "../../resources/find-item.ts";
import { resources } from "../../resources/resource-table.ts";

export const { usage, run } = defineCommand("quota", (program) => {
  const command = program
    .command("show", { isDefault: true })
    .description("print who holds what, and the limits; the default")
    .option("--account <id>", "of another account, for the operator");
  addCommonOptions(command).action(show);
  addSet(program);
});

interface Values extends CommonValues {
  account?: string;
}

const numbers = {
  gpus: ["--gpus <limit>", "GPUs of running Pods and of workers"],
  reservedGpus: ["--reserved-gpus <limit>", "GPUs that are reserved at one time"],
  pods: ["--pods <limit>", "running Pods and sandboxes"],
  vcpus: ["--vcpus <limit>", "vCPUs of running Pods and of workers"],
  volumeGb: ["--volume-gb <limit>", "GB of network volumes and volumes of Pods"],
  costPerHr: ["--cost-per-hr <limit>", "dollars per hour of everything that is held"],
} as const;
type Measure = keyof typeof numbers;
type GuaranteeUse = NonNullable<Quota["projects"][number]["guaranteedGpus"]>[string];

interface SetValues extends Values, Partial<Record<Measure, string>> {
  members?: boolean;
  project?: string;
  gpuType?: string[];
  guaranteed?: string[];
  weight?: string;
}

const repeated = (each: string, all: string[] = []) => [...all, each];

function addSet(program: Program): void {
  const command = program
    .command("set")
    .description("change limits; what is held beyond a lower limit stays")
    .argument("[member]", "an id or a name")
    .optionsGroup("Whose, without a member:")
    .option("--members", "the default of members")
    .option("--project <project>", "a project, by its id or name")
    .option("--account <id>", "a whole account, for the operator")
    .optionsGroup("Limits (a number, none, or default for a member):");
  for (const [flags, description] of Object.values(numbers)) command.option(flags, description);
  command
    .option("--gpu-type <id=limit>", "GPUs of one type (repeatable)", repeated)
    .optionsGroup("Of a project, for the operator; with --account of another account's:")
    .option(
      "--guaranteed <id=count>",
      "GPUs of one type that are kept for it; 0 for none (repeatable)",
      repeated,
    )
    .option("--weight <weight>", "its right to GPUs beside other projects in line, 1 to 1000");
  addCommonOptions(command).action(change);
}

async function show(values: Values): Promise<void> {
  const service = await serviceFor(values);
  const { account: accountId } = values;
  const quota =
    accountId === undefined
      ? await call(service, "GET /v1/quota")
      : await call(service, "GET /v1/accounts/{accountId}/quota", { params: { accountId } });
  print(quota, values);
}

async function change(word: string | undefined, values: SetValues): Promise<void> {
  if (values.account !== undefined && values.project !== undefined && !word && !values.members)
    return changeTerms(values);
  const subjects = [word, values.members, values.project, values.account].filter(
    (each) => each !== undefined,
  );
  if (subjects.length !== 1) {
    throw new UsageError("quota set takes a member, --members, --project NAME or --account ID");
  }
  const isMember = word !== undefined;
  const body = limitsFrom(values, isMember);
  const { guaranteed = [], weight } = values;
  if (guaranteed.length > 0 && values.project === undefined) {
    throw new UsageError("--guaranteed takes --project NAME: GPUs are guaranteed to projects");
  }
  if (weight !== undefined && values.project === undefined) {
    throw new UsageError("--weight takes --project NAME: projects have weights");
  }
  const service = await serviceFor(values);
  const { account: accountId } = values;
  if (accountId !== undefined) {
    const params = { accountId };
    return print(
      await call(service, "PATCH /v1/accounts/{accountId}/quota", { params, body }),
      values,
    );
  }
  if (values.project !== undefined) {
    const { id: projectId } = await findItem(service, resources.projects!, values.project);
    const params = { projectId };
    const changes = { limits: body, ...termsFrom(values) };
    await call(service, "PATCH /v1/projects/{projectId}", { params, body: changes });
    return print(await call(service, "GET /v1/quota"), values);
  }
  if (!isMember)
    return print(await call(service, "PATCH /v1/quota/member-default", { body }), values);
  const memberId = named("member", (await call(service, "GET /v1/quota")).members, word);
  const params = { memberId };
  print(await call(service, "PATCH /v1/quota/members/{memberId}", { params, body }), values);
}

/** What the operator sets of a project of another account. */
async function changeTerms(values: SetValues): Promise<void> {
  const { account: accountId = "", project = "" } = values;
  const terms = termsFrom(values);
  const names = Object.keys(numbers) as Measure[];
  const limit = names.find((name) => values[name] !== undefined);
  if (limit !== undefined || values.gpuType || Object.keys(terms).length === 0) {
    throw new UsageError(
      "quota set --account ID --project NAME takes --guaranteed and --weight; an admin of the account sets the limits of its projects",
    );
  }
  const service = await serviceFor(values);
  const params = { accountId };
  const { projects } = await call(service, "GET /v1/accounts/{accountId}/quota", { params });
  const body = { projects: { [named("project", projects, project)]: terms } };
  print(await call(service, "PATCH /v1/accounts/{accountId}/quota", { params, body }), values);
}

function termsFrom({ guaranteed = [], weight }: SetValues) {
  const guaranteedGpus = byType("--guaranteed", guaranteed, countFrom);
  return {
    ...(guaranteed.length > 0 && { guaranteedGpus }),
    ...(weight !== undefined && { weight: countFrom("--weight", weight) }),
  };
}

/** The id of a member or project. */
function named(noun: string, all: readonly { id: string; name: string }[], word: string): string {
  const matches = all.filter(({ id, name }) => id === word || name === word);
  const [first] = matches;
  if (first && matches.length === 1) return first.id;
  const problem = first ? `${matches.length} ${noun}s are named` : `there is no ${noun}`;
  throw new Refusal(`${problem} "${word}"; \`freehold ${noun}s\` lists them`, exitCodes.notFound);
}

/** Null is no limit; numbers are checked by the service. */
function limitsFrom(values: SetValues, isMember: boolean) {
  const names = Object.keys(numbers) as Measure[];
  const limits = names.flatMap((name) => {
    const text = values[name];
    return text === undefined ? [] : [[name, limitFrom(numbers[name][0], text, isMember)]];
  });
  const { gpuType = [], guaranteed = [], weight } = values;
  if (limits.length + gpuType.length + guaranteed.length === 0 && weight === undefined) {
    throw new UsageError("quota set takes at least one limit, such as --gpus 4");
  }
  const ofType = (flags: string, text: string) => limitFrom(flags, text, isMember);
  return {
    ...Object.fromEntries(limits),
    ...(gpuType.length > 0 && { gpuTypes: byType("--gpu-type", gpuType, ofType) }),
  };
}

/** From texts such as "NVIDIA A40=2". */
function byType<Amount>(
  flag: string,
  texts: readonly string[],
  read: (flag: string, text: string) => Amount,
): Record<string, Amount> {
  const entries = texts.map((text) => {
    const at = text.lastIndexOf("=");
    if (at < 1) {
      throw new UsageError(`${flag} is "${text}"; it takes a type and a number, as "NVIDIA A40=2"`);
    }
    return [text.slice(0, at), read(flag, text.slice(at + 1))] as const;
  });
  return Object.fromEntries(entries);
}

function countFrom(flag: string, text: string): number {
  if (/^\d+$/.test(text)) return Number(text);
  throw new UsageError(`${flag} is "${text}"; it takes a whole number`);
}

function limitFrom(flags: string, text: string, isMember: boolean): number | null | "default" {
  if (text === "none") return null;
  if (isMember && text === "default") return text;
  if (/^\d+(\.\d+)?$/.test(text)) return Number(text);
  const words = isMember ? "a number, none or default" : "a number or none";
  throw new UsageError(`${flags.split(" ")[0]} is "${text}"; it takes ${words}`);
}

interface Row {
  id: string;
  name: string;
  used: QuotaUsed;
  limits: QuotaLimits;
}

function print(quota: Quota, values: CommonValues): void {
  if (values.json) {
    printJson(quota);
    return;
  }
  const { account, projects, memberDefault, members, unowned } = quota;
  const rows: Row[] = [
    ...members,
    { id: "none", name: "(no member)", used: unowned, limits: {} },
    ...projects.map((project) => ({ ...project, name: `Project ${project.name}` })),
    { id: "account", name: "(account)", ...account },
  ];
  const count = (measure: Exclude<Measure, "costPerHr">) => (row: Row) =>
    usedOf(row.used[measure], row.limits[measure]);
  printList(
    rows,
    [
      ["NAME", ({ name }) => name],
      ["GPUS", count("gpus")],
      ["BY TYPE", typesText],
      ["RESERVED", count("reservedGpus")],
      ["PODS", count("pods")],
      ["VCPUS", count("vcpus")],
      ["VOLUME GB", count("volumeGb")],
      ["PER HOUR", ({ used, limits }) => usedOf(used.costPerHr, limits.costPerHr, dollars)],
    ],
    ({ id }) => id,
    values,
  );
  if (values.quiet) return;
  const standard = limitsText(memberDefault);
  if (standard !== "") write(`Default of a member: ${standard}\n`);
  const whole = { name: "The account", over: account.over };
  const named = projects.map(({ name, over }) => ({ name: `Project ${name}`, over }));
  for (const { name, over } of [...members, ...named, whole]) {
    if (over.length > 0) write(`${plainText(name)} is over: ${over.join(", ")}\n`);
  }
  for (const { name, guaranteedGpus = {} } of projects) {
    for (const [id, use] of Object.entries(guaranteedGpus)) {
      write(`Project ${plainText(name)} is guaranteed ${guaranteeText(id, use)}\n`);
    }
  }
  if (projects.length === 0) return;
  for (const { name, share } of projects) {
    write(`Project ${plainText(name)} has used ${shareText(share)}\n`);
  }
  write(`Without a project: ${shareText(quota.shareWithoutProject)}\n`);
}

/** Such as "12.5 GPU-hours, 40% of all, weight 3". */
const shareText = ({ gpuHours, part, weight }: Quota["shareWithoutProject"]) =>
  `${Number(gpuHours.toFixed(1))} GPU-hours, ${Math.round(part * 100)}% of all, weight ${weight}`;

/** Such as "4 NVIDIA A40: 1 in use, 1 free, 2 lent to spot Pods". */
const guaranteeText = (id: string, use: GuaranteeUse) => `${use.count} ${id}: ${keptGpusText(use)}`;

function typesText({ used, limits }: Row): string {
  const ids = [...new Set([...Object.keys(used.gpuTypes), ...Object.keys(limits.gpuTypes ?? {})])];
  return ids
    .map((id) => `${id} ${usedOf(used.gpuTypes[id] ?? 0, limits.gpuTypes?.[id])}`)
    .join(", ");
}

function limitsText({ gpuTypes = {}, ...limits }: QuotaLimits): string {
  const nouns: Record<string, string> = {
    gpus: "GPUs",
    reservedGpus: "reserved GPUs",
    pods: "running Pods",
    vcpus: "vCPUs",
    volumeGb: "GB of volumes",
    costPerHr: "dollars per hour",
  };
  return [
    ...Object.entries(limits).map(([name, limit]) => `${limit} ${nouns[name] ?? name}`),
    ...Object.entries(gpuTypes).map(([id, limit]) => `${limit} of type ${id}`),
  ].join(", ");
}
