// The statement of a month, by resource, kind, member, project or the values of a label.

import { api, type Schema } from "../../api/client.ts";
import { Button } from "../../components/control/button.tsx";
import { Select } from "../../components/control/field.tsx";
import { FilterText } from "../../components/control/filters.tsx";
import { QueryResult } from "../../components/data/query-result.tsx";
import { type Column, Table } from "../../components/data/table.tsx";
import { formatUtcDateTime } from "../../components/format/time.ts";
import { formatMicros } from "../../components/format/units.ts";
import { Card } from "../../components/layout/card.tsx";
import { Skeleton } from "../../components/layout/skeleton.tsx";
import { serviceNow } from "../../service-clock.ts";
import { useSearchOption, useSearchParam } from "../../use-search-param.ts";

type Statement = Schema["Statement"];
type Line = Statement["lines"][number];

const groupLabels = {
  resource: "By resource",
  kind: "By kind",
  createdBy: "By member",
  project: "By project",
  label: "By label",
};
const MONTHS = 12;
const DEFAULT_LABEL = "team";

export function StatementCard() {
  const [chosenMonth, setMonth] = useSearchParam("month");
  const [group, setGroup] = useSearchOption("group", groupLabels, "kind");
  const [label, setLabel] = useSearchParam("label");
  const months = lastMonths();
  const month = months.includes(chosenMonth) ? chosenMonth : months[0]!;
  const grouping = group === "label" ? `label:${label || DEFAULT_LABEL}` : group;
  const query = api.useQuery("get", "/v1/billing/statement", {
    params: { query: { month, grouping } },
  });
  const urlOf = (format: string) =>
    `/v1/billing/statement?${new URLSearchParams({ month, grouping, format })}`;
  return (
    <Card
      title="Statement"
      aside={
        <div className="flex flex-wrap items-center gap-2">
          <Select
            aria-label="Month"
            className="w-auto!"
            value={month}
            onChange={({ target }) => setMonth(target.value)}
          >
            {months.map((each) => (
              <option key={each}>{each}</option>
            ))}
          </Select>
          <Select
            aria-label="Group costs"
            className="w-auto!"
            value={group}
            onChange={({ target }) => setGroup(target.value as typeof group)}
          >
            {Object.entries(groupLabels).map(([each, name]) => (
              <option key={each} value={each}>
                {name}
              </option>
            ))}
          </Select>
          {group === "label" && (
            <FilterText
              label="Name of the label"
              value={label || DEFAULT_LABEL}
              onChange={setLabel}
            />
          )}
          <Button asChild>
            <a href={urlOf("csv")} download={`statement-${month}.csv`}>
              Download
            </a>
          </Button>
          <Button asChild>
            <a href={urlOf("html")} target="_blank" rel="noreferrer">
              Print
            </a>
          </Button>
        </div>
      }
    >
      <QueryResult query={query} skeleton={<Skeleton className="h-40" />}>
        {(statement) => <Lines statement={statement} />}
      </QueryResult>
    </Card>
  );
}

function Lines({ statement: { opening, total, closing, lines } }: { statement: Statement }) {
  const sums = [
    ["Balance at the beginning", opening],
    ["Sum of the lines", total],
    ["Balance at the end", closing],
  ] as const;
  return (
    <>
      {lines.length === 0 ? (
        <p className="py-6 text-center text-muted">Nothing was charged in this month</p>
      ) : (
        <Table
          label="Statement"
          columns={columns.filter(({ title }) => title !== "Of" || lines.some(textOf))}
          rows={lines}
          idOf={(line) => `${line.time} ${line.kind} ${textOf(line)} ${line.amount}`}
        />
      )}
      <dl className="mt-4 ml-auto grid max-w-sm grid-cols-2 gap-y-1 text-sm">
        {sums.map(([name, amount]) => (
          <div key={name} className="contents">
            <dt className="text-muted">{name}</dt>
            <dd className="text-right tabular-nums">{formatMicros(Math.round(amount * 1e6))}</dd>
          </div>
        ))}
      </dl>
    </>
  );
}

const kindLabels: Record<Line["kind"], string> = {
  pod: "Pods",
  cluster: "Clusters",
  sandbox: "Sandboxes",
  endpoint: "Endpoints",
  networkVolume: "Network volumes",
  savingsPlan: "Savings plan",
  credits: "Credits",
};

const columns: Column<Line>[] = [
  {
    title: "Date (UTC)",
    sortBy: ({ time }) => time,
    width: "minmax(6rem, 8rem)",
    minWidth: "sm",
    cell: ({ time }) => formatUtcDateTime(time).slice(0, 10),
  },
  {
    title: "Kind",
    sortBy: ({ kind }) => kind,
    width: "minmax(5rem, 1fr)",
    cell: ({ kind }) => kindLabels[kind],
  },
  { title: "Of", sortBy: textOf, width: "minmax(5rem, 2fr)", cell: textOf },
  {
    title: "Amount",
    sortBy: ({ amount }) => amount,
    width: "minmax(6.5rem, 1fr)",
    alignRight: true,
    cell: ({ amount }) => formatMicros(Math.round(amount * 1e6)),
  },
];

function textOf(line: Line): string {
  const { kind, note, label, resourceId, memberId, memberName, projectId, projectName } = line;
  if (kind === "credits" || kind === "savingsPlan") return note;
  if (label !== undefined) return label ?? "Without the label";
  if (memberId !== undefined) return memberName || memberId || "No member";
  if (projectId !== undefined) return projectName || projectId || "No project";
  return resourceId ?? "";
}

/** Newest first. */
function lastMonths(): string[] {
  const now = new Date(serviceNow());
  return Array.from({ length: MONTHS }, (_, n) =>
    new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - n, 1)).toISOString().slice(0, 7),
  );
}
