// What is held of what may be held, as columns of a table.

import type { Schema } from "../../api/client.ts";
import type { Column } from "../../components/data/table.tsx";
import { formatCount, formatHourlyPrice } from "../../components/format/units.ts";
import { GpuName } from "../pods/gpu-name.tsx";

/** What has no `used` is limits alone. */
interface Holder {
  used?: Schema["QuotaUsed"];
  limits: Schema["QuotaLimits"];
}

const count =
  (measure: "gpus" | "reservedGpus" | "pods" | "vcpus" | "volumeGb") => (row: Holder) => (
    <Amount used={row.used?.[measure]} limit={row.limits[measure]} text={formatCount} />
  );

export const amountColumns: Column<Holder>[] = [
  { title: "GPUs", width: "4rem", alignRight: true, cell: count("gpus") },
  {
    title: "By type",
    width: "minmax(11rem, 1.5fr)",
    minWidth: "lg",
    cell: ({ used, limits }) => {
      const ids = new Set([
        ...Object.keys(used?.gpuTypes ?? {}),
        ...Object.keys(limits.gpuTypes ?? {}),
      ]);
      return [...ids].map((id) => (
        <span key={id} title={id} className="mr-3 whitespace-nowrap">
          <GpuName id={id} />{" "}
          <Amount
            used={used && (used.gpuTypes[id] ?? 0)}
            limit={limits.gpuTypes?.[id]}
            text={formatCount}
          />
        </span>
      ));
    },
  },
  {
    title: "Reserved",
    width: "5rem",
    alignRight: true,
    minWidth: "md",
    cell: count("reservedGpus"),
  },
  { title: "Pods", width: "4rem", alignRight: true, minWidth: "sm", cell: count("pods") },
  { title: "vCPUs", width: "4rem", alignRight: true, minWidth: "md", cell: count("vcpus") },
  {
    title: "Volumes, GB",
    width: "6.5rem",
    alignRight: true,
    minWidth: "lg",
    cell: count("volumeGb"),
  },
  {
    title: "Cost",
    width: "10rem",
    alignRight: true,
    minWidth: "sm",
    cell: ({ used, limits }) => (
      <Amount used={used?.costPerHr} limit={limits.costPerHr} text={formatHourlyPrice} />
    ),
  },
];

/** "2 of 4", "2" without a limit, or the limit alone. */
function Amount(props: {
  used: number | undefined;
  limit: number | undefined;
  text: (amount: number) => string;
}) {
  const { used, limit, text } = props;
  if (used === undefined) return <>{limit === undefined ? "–" : text(limit)}</>;
  if (limit === undefined) return <>{text(used)}</>;
  return (
    <span className={used > limit ? "text-warn" : ""}>
      {text(used)} of {text(limit)}
    </span>
  );
}
