// The values of the form for schedules, and the requests that they become.

import type { Schema } from "../../api/client.ts";
import { labelErrors, labelsBody, textOfLabels } from "../../components/form/label-rows.ts";
import { formatJson, isExactNumber, parseExactly } from "../../exact-json.ts";
import { HOUR_MS, MINUTE_MS } from "../../time-units.ts";

export type Schedule = Schema["Schedule"];
export type ScheduleSummary = Schema["ScheduleSummary"];

export const concurrencyPolicies: readonly (readonly [
  value: Schedule["concurrencyPolicy"],
  name: string,
])[] = [
  ["ALLOW", "Submit another job"],
  ["FORBID", "Skip the run"],
  ["REPLACE", "Cancel the earlier job"],
];

export const missedRunPolicies: readonly (readonly [
  value: Schedule["missedRunPolicy"],
  name: string,
])[] = [
  ["SKIP", "Leave them out"],
  ["RUN_ONCE", "Run the latest"],
  ["RUN_ALL", "Run them all"],
];

export interface ScheduleValues {
  endpointId: string;
  name: string;
  /** One name=value per line. */
  labels: string;
  cron: string;
  timeZone: string;
  /** JSON, as is the policy. */
  input: string;
  policy: string;
  webhook: string;
  concurrencyPolicy: string;
  missedRunPolicy: string;
  catchUpMinutes: number;
}

export function valuesOf(schedule?: Schedule, endpointId = ""): ScheduleValues {
  return {
    endpointId: schedule?.endpointId ?? endpointId,
    name: schedule?.name ?? "",
    labels: textOfLabels(schedule ?? {}),
    cron: schedule?.cron ?? "0 2 * * *",
    timeZone: schedule?.timeZone ?? Intl.DateTimeFormat().resolvedOptions().timeZone,
    input: formatJson(schedule?.input ?? {}),
    policy: schedule && Object.keys(schedule.policy).length > 0 ? formatJson(schedule.policy) : "",
    webhook: schedule?.webhook ?? "",
    concurrencyPolicy: schedule?.concurrencyPolicy ?? "ALLOW",
    missedRunPolicy: schedule?.missedRunPolicy ?? "SKIP",
    catchUpMinutes: (schedule?.catchUpWindowMs ?? HOUR_MS) / MINUTE_MS,
  };
}

export function createBody(values: ScheduleValues): Schema["ScheduleCreateInput"] {
  const { endpointId, webhook } = values;
  return {
    endpointId,
    ...commonFields(values),
    ...labelsBody(values.labels),
    input: parseObject(values.input) ?? {},
    ...(webhook && { webhook }),
  };
}

/** Leaves out an input that was not edited, so that it stays as its client wrote it. */
export function updateBody(
  values: ScheduleValues,
  before: ScheduleValues,
): Schema["ScheduleUpdateInput"] {
  return {
    ...commonFields(values),
    ...labelsBody(values.labels, before.labels),
    ...(values.input !== before.input && { input: parseObject(values.input) ?? {} }),
    webhook: values.webhook || null,
  };
}

function commonFields(values: ScheduleValues) {
  const { name, cron, timeZone, concurrencyPolicy, missedRunPolicy, catchUpMinutes } = values;
  return {
    name: name.trim(),
    cron: cron.trim(),
    timeZone: timeZone.trim(),
    concurrencyPolicy: concurrencyPolicy as Schedule["concurrencyPolicy"],
    missedRunPolicy: missedRunPolicy as Schedule["missedRunPolicy"],
    catchUpWindowMs: Math.round(catchUpMinutes * MINUTE_MS),
    policy: (parseObject(values.policy) ?? {}) as Schedule["policy"],
  };
}

/** What the schema cannot say: the texts must be JSON objects, and each label has one value. */
export function checkValues({
  input,
  policy,
  labels,
}: ScheduleValues): Partial<Record<keyof ScheduleValues, string>> {
  const message = 'Enter a JSON object, such as {"priority": 5}.';
  return {
    ...labelErrors(labels),
    ...(parseObject(input) === null && { input: 'Enter a JSON object, such as {"name": "you"}.' }),
    ...(policy.trim() !== "" && parseObject(policy) === null && { policy: message }),
  };
}

function parseObject(text: string): Record<string, never> | null {
  try {
    const value = parseExactly(text);
    const isObject =
      typeof value === "object" && value !== null && !Array.isArray(value) && !isExactNumber(value);
    return isObject ? (value as Record<string, never>) : null;
  } catch {
    return null;
  }
}
