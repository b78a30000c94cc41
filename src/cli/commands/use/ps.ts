// `freehold ps`: the Pods and workers that run, with their cost.

import { call, type ItemOf } from "../../client/api.ts";
import { serviceFor } from "../../context/choose-service.ts";
import { printList, reportNone } from "../../output/answer.ts";
import type { TableColumn } from "../../output/table.ts";
import { addCommonOptions, type CommonValues } from "../../program/common-options.ts";
import { defineCommand } from "../../program/define-command.ts";
import { age, dollars, hardware, podStatus } from "../../resources/cells.ts";

interface Values extends CommonValues {
  all?: boolean;
}

export const { usage, run } = defineCommand("ps", (program) => {
  const options = program.optionsGroup("Options:").option("-a, --all", "also stopped Pods");
  addCommonOptions(options).action(printRunning);
});

const columns: TableColumn<ItemOf<"GET /v1/pods">>[] = [
  ["ID", ({ id }) => id],
  ["KIND", ({ endpointId }) => (endpointId ? "worker" : "Pod")],
  ["NAME", ({ name }) => name],
  ["STATUS", podStatus],
  ["HARDWARE", ({ gpuTypeId, gpuCount }) => hardware(gpuTypeId, gpuCount)],
  ["COST/H", ({ adjustedCostPerHr }) => dollars(adjustedCostPerHr)],
  ["AGE", ({ lastStartedAt, createdAt }) => age(lastStartedAt ?? createdAt)],
];

async function printRunning(values: Values): Promise<void> {
  const query = {
    includeWorkers: true,
    ...(!values.all && { desiredStatus: ["RUNNING" as const] }),
  };
  const pods = await call(await serviceFor(values), "GET /v1/pods", { query });
  printList(pods, columns, ({ id }) => id, values);
  reportNone(pods, values.all ? "Pods or workers" : "running Pods or workers", values);
}
