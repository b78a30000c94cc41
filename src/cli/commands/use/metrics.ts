// `freehold metrics`: the metrics of the installation as a table, for a terminal without Prometheus.

import { exitCodes, Refusal } from "../../../base/refusal.ts";
import { send } from "../../client/service-request.ts";
import { serviceFor } from "../../context/choose-service.ts";
import { printList } from "../../output/answer.ts";
import { addCommonOptions, type CommonValues } from "../../program/common-options.ts";
import { defineCommand } from "../../program/define-command.ts";

interface Sample {
  name: string;
  labels: Record<string, string>;
  value: number;
  help: string;
}

export const { usage, run } = defineCommand("metrics", (program) => {
  program
    .description(
      "Buckets of histograms are left out, except with --json and where <part> names them.",
    )
    .argument("[part]", "print only metrics with this in their name, such as queue or _total");
  addCommonOptions(program).action(printMetrics);
});

async function printMetrics(part = "", values: CommonValues = {}): Promise<void> {
  const service = await serviceFor(values);
  const text = await (await send(service, "/metrics", { method: "GET" })).text();
  const found = samplesIn(text).filter(({ name }) => name.includes(part));
  if (found.length === 0) {
    const sentence = `no metric has "${part}" in its name; \`freehold metrics\` lists them all`;
    throw new Refusal(sentence, exitCodes.notFound);
  }
  const withBuckets = values.json || part.includes("bucket");
  const shown = withBuckets ? found : found.filter(({ name }) => !name.endsWith("_bucket"));
  printList(
    shown,
    [
      ["METRIC", ({ name }) => name],
      ["LABELS", ({ labels }) => labelText(labels)],
      ["VALUE", ({ value }) => valueText(value)],
    ],
    ({ value }) => String(value),
    values,
  );
}

const labelText = (labels: Record<string, string>) =>
  Object.entries(labels)
    .map(([name, value]) => `${name}=${value}`)
    .join(" ");

const valueText = (value: number) =>
  Number.isInteger(value) ? String(value) : String(Number(value.toPrecision(6)));

/** The samples of the Prometheus text format, in its order. */
function samplesIn(text: string): Sample[] {
  const helps = new Map<string, string>();
  return text.split("\n").flatMap((line): Sample[] => {
    const [, described, help] = /^# HELP (\S+) (.*)$/.exec(line) ?? [];
    if (described !== undefined) helps.set(described, help ?? "");
    const [, name, labels = "", value] = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (\S+)/.exec(line) ?? [];
    if (name === undefined || value === undefined) return [];
    return [{ name, labels: labelsIn(labels), value: numberOf(value), help: helpOf(helps, name) }];
  });
}

function labelsIn(text: string): Record<string, string> {
  const pairs = text.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g);
  const unescaped = (value: string) =>
    value.replace(/\\(.)/g, (_, character) => (character === "n" ? "\n" : character));
  return Object.fromEntries([...pairs].map(([, name, value]) => [name!, unescaped(value!)]));
}

/** A histogram is described by the name that its series begin with. */
const helpOf = (helps: Map<string, string>, name: string) =>
  helps.get(name) ?? helps.get(name.replace(/_(?:bucket|sum|count)$/, "")) ?? "";

const numberOf = (text: string) => Number(text.replace("+Inf", "Infinity"));
