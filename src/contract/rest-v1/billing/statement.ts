// The statement of a month.

import Type, { type Static } from "typebox";
import { instant, TAKES } from "../../fields.ts";
import type { Operations } from "../../operation.ts";

const orNull = Type.Union([Type.String(), Type.Null()]);
const dollars = (description: string) => Type.Number({ description });

const line = Type.Object(
  {
    time: { ...instant, description: "Start of the day or the month, or when it was posted." },
    kind: Type.Enum([
      "pod",
      "cluster",
      "sandbox",
      "endpoint",
      "networkVolume",
      "savingsPlan",
      "credits",
    ]),
    resourceId: Type.Optional(orNull),
    memberId: Type.Optional(orNull),
    memberName: Type.Optional(orNull),
    projectId: Type.Optional(orNull),
    projectName: Type.Optional(orNull),
    label: Type.Optional(orNull),
    note: Type.String({ description: "The note of credits; empty otherwise." }),
    amount: dollars("Dollars; credits are negative."),
  },
  { title: "StatementLine" },
);

const statement = Type.Object(
  {
    startTime: instant,
    endTime: { ...instant, description: "Exclusive." },
    opening: dollars("The balance at the beginning of the month."),
    total: dollars("The sum of the lines."),
    closing: dollars("The balance at the end of the month, or as it is posted now."),
    lines: Type.Array(line),
  },
  {
    title: "Statement",
    description: "The opening balance less the total is the closing balance, to the micro-dollar.",
  },
);
export type Statement = Static<typeof statement>;

export const statementOperations = {
  getStatement: {
    method: "GET",
    path: "/v1/billing/statement",
    tag: "Billing",
    summary: "Read the statement of a month",
    description:
      "Lists every cost and credit of the month: usage, grouped by `grouping`, payments for savings plans, and credits. " +
      "Usage without a member, a project or the label is a line of its own. An extension of Freehold.",
    needs: { of: "rest", access: "read", area: "billing" },
    query: Type.Partial(
      Type.Object({
        month: Type.String({
          pattern: "^[0-9]{4}-(0[1-9]|1[0-2])$",
          [TAKES]: "a month such as 2026-11",
          description: "In UTC; the present month by default.",
        }),
        grouping: Type.Union(
          [
            Type.Enum(["resource", "kind", "createdBy", "project"]),
            Type.String({ pattern: "^label:[^=]{1,63}$" }),
          ],
          {
            default: "resource",
            [TAKES]: "resource, kind, createdBy, project, or label: and a name, such as label:team",
            description:
              "What the costs of use are added up by, beside their kind. Owners and labels are those of that time; a " +
              "project is the one that the owner is in now.",
          },
        ),
        bucketSize: Type.Enum(["day", "month"], {
          default: "month",
          description: "Whether each day has lines of its own.",
        }),
        format: Type.Enum(["json", "csv", "html"], {
          default: "json",
          description: "html is a page to print.",
        }),
      }),
    ),
    answer: { status: 200, description: "The statement.", schema: statement },
  },
} as const satisfies Operations;
