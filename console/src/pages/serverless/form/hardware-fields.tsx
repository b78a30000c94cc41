// The hardware of an endpoint's workers.

import type { UseFormReturn } from "react-hook-form";
import { api, type Schema } from "../../../api/client.ts";
import { Checkbox } from "../../../components/control/field.tsx";
import { Choice } from "../../../components/control/segmented-control.tsx";
import { QueryResult } from "../../../components/data/query-result.tsx";
import {
  NumberField,
  NumberSelectField,
  SelectField,
} from "../../../components/form/form-fields.tsx";
import { formatHourlyPrice } from "../../../components/format/units.ts";
import { Skeleton } from "../../../components/layout/skeleton.tsx";
import type { Draft } from "./endpoint-draft.ts";

interface Props {
  form: UseFormReturn<Draft>;
  /** Whether the compute type can no longer change. */
  fixed: boolean;
}

export function HardwareFields({ form, fixed }: Props) {
  const computeType = form.watch("computeType");
  return (
    <div className="space-y-4">
      {!fixed && (
        <Choice
          label="Hardware"
          value={computeType}
          onChange={(next) => form.setValue("computeType", next)}
          options={{ GPU: "GPU", CPU: "CPU" }}
        />
      )}
      {computeType === "GPU" ? <GpuFields form={form} /> : <CpuFields form={form} />}
    </div>
  );
}

function GpuFields({ form }: Omit<Props, "fixed">) {
  const query = api.useQuery("get", "/v1/catalog/gpu-types");
  const gpuTypeIds = form.watch("gpuTypeIds");
  const toggle = (id: string, on: boolean) =>
    form.setValue(
      "gpuTypeIds",
      on ? [...gpuTypeIds, id] : gpuTypeIds.filter((each) => each !== id),
    );
  return (
    <>
      <p className="text-sm text-muted">
        Workers use the first available type, in the order in which you select them. Select none to
        use any GPU.
      </p>
      <QueryResult query={query} skeleton={<Skeleton className="h-64" />}>
        {(types) => (
          <ul
            aria-label="GPU types"
            // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls
            tabIndex={0}
            className="relative max-h-72 divide-y divide-line overflow-y-auto rounded-control border border-line"
          >
            {types.map((type) => (
              <GpuRow
                key={type.id}
                type={type}
                rank={gpuTypeIds.indexOf(type.id) + 1}
                onChange={(on) => toggle(type.id, on)}
              />
            ))}
          </ul>
        )}
      </QueryResult>
      <div className="grid gap-4 sm:grid-cols-2">
        <NumberField form={form} name="gpuCount" label="GPUs per worker" step={1} />
        <SelectField
          form={form}
          name="minCudaVersion"
          label="Minimum CUDA version"
          options={[["", "Any"], ...cudaVersions.map((version) => [version, version] as const)]}
        />
      </div>
    </>
  );
}

interface GpuRowProps {
  type: Schema["GpuType"];
  /** From 1, in order of preference; 0 if it is not selected. */
  rank: number;
  onChange: (on: boolean) => void;
}

function GpuRow({ type, rank, onChange }: GpuRowProps) {
  return (
    <li className="flex items-center justify-between gap-3 px-3 py-2">
      <Checkbox
        checked={rank > 0}
        onChange={onChange}
        label={type.displayName}
        hint={`${type.memoryInGb} GB`}
      />
      <span className="flex shrink-0 items-center gap-3 text-sm">
        {rank > 0 && <span className="text-muted">#{rank}</span>}
        <span className="w-20 text-right">{formatHourlyPrice(type.serverlessPrice)}</span>
      </span>
    </li>
  );
}

function CpuFields({ form }: Omit<Props, "fixed">) {
  const { data = [] } = api.useQuery("get", "/v1/catalog/cpu-flavors");
  const [cpuFlavorId, vcpuCount] = form.watch(["cpuFlavorId", "vcpuCount"]);
  const flavors = data.filter(({ serverless }) => serverless);
  const flavor = flavors.find(({ id }) => id === cpuFlavorId) ?? flavors[0];
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <SelectField
        form={form}
        name="cpuFlavorId"
        label="CPU"
        options={[["", "Any"], ...flavors.map((each) => [each.id, describeFlavor(each)] as const)]}
      />
      <NumberSelectField
        form={form}
        name="vcpuCount"
        label="vCPUs per worker"
        options={(flavor?.vcpuCounts ?? [vcpuCount]).map((n) => [n, `${n}`] as const)}
      />
    </div>
  );
}

function describeFlavor({ displayName, ramGbPerVcpu, pricePerVcpu }: Schema["CpuFlavor"]): string {
  return `${displayName}, ${ramGbPerVcpu} GB per vCPU, ${formatHourlyPrice(pricePerVcpu)} per vCPU`;
}

const cudaVersions = [
  "11.8",
  "12.0",
  "12.1",
  "12.4",
  "12.6",
  "12.8",
  "12.9",
  "13.0",
  "13.1",
  "13.2",
  "13.3",
  "13.4",
];
