// What the workers compute on.

import { api, type Schema } from "../../../api/client.ts";
import { Choice } from "../../../parts/choice.tsx";
import { Checkbox, Field, Select } from "../../../parts/field.tsx";
import { Loaded } from "../../../parts/loaded.tsx";
import { Skeleton } from "../../../parts/skeleton.tsx";
import { perHour } from "../../../parts/units.ts";
import type { Draft } from "./draft.ts";
import { NumberField } from "./number-field.tsx";

interface Props {
  draft: Draft;
  set: (news: Partial<Draft>) => void;
  /** What an endpoint computes on is said once. */
  fixed: boolean;
}

export function HardwareFields({ draft, set, fixed }: Props) {
  return (
    <div className="space-y-4">
      {!fixed && (
        <Choice
          label="What workers compute on"
          value={draft.computeType}
          onChange={(computeType) => set({ computeType })}
          options={{ GPU: "GPU", CPU: "CPU" }}
        />
      )}
      {draft.computeType === "GPU" ? (
        <Gpus draft={draft} set={set} />
      ) : (
        <Cpus draft={draft} set={set} />
      )}
    </div>
  );
}

function Gpus({ draft, set }: Omit<Props, "fixed">) {
  const query = api.useQuery("get", "/v1/catalog/gpu-types");
  const { gpuTypeIds, gpuCount, minCudaVersion } = draft;
  const toggle = (id: string, on: boolean) =>
    set({ gpuTypeIds: on ? [...gpuTypeIds, id] : gpuTypeIds.filter((each) => each !== id) });
  return (
    <>
      <p className="text-sm text-muted">
        Workers take the first of these that is free, in the order in which you choose them. Choose
        none to take whatever there is.
      </p>
      <Loaded query={query} skeleton={<Skeleton className="h-64" />}>
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
      </Loaded>
      <div className="grid gap-4 sm:grid-cols-2">
        <NumberField
          label="GPUs for each worker"
          min={1}
          max={16}
          value={gpuCount}
          onChange={(now) => set({ gpuCount: now })}
        />
        <Field label="Least CUDA version" hint="Of the machine; any if left out.">
          {(tied) => (
            <Select
              {...tied}
              value={minCudaVersion}
              onChange={({ target }) => set({ minCudaVersion: target.value })}
            >
              <option value="">Any</option>
              {["11.8", "12.0", "12.1", "12.4", "12.6", "12.8", "12.9", "13.0"].map((version) => (
                <option key={version}>{version}</option>
              ))}
            </Select>
          )}
        </Field>
      </div>
    </>
  );
}

interface GpuRowProps {
  type: Schema["GpuType"];
  /** From 1 in the order of preference; 0: not chosen. */
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
        {rank > 0 && <span className="text-muted">choice {rank}</span>}
        <span className="w-20 text-right">{perHour(type.serverlessPrice)}</span>
      </span>
    </li>
  );
}

function Cpus({ draft, set }: Omit<Props, "fixed">) {
  const { data = [] } = api.useQuery("get", "/v1/catalog/cpu-flavors");
  const flavors = data.filter(({ serverless }) => serverless);
  const flavor = flavors.find(({ id }) => id === draft.cpuFlavorId) ?? flavors[0];
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <Field label="CPU">
        {(tied) => (
          <Select
            {...tied}
            value={draft.cpuFlavorId}
            onChange={({ target }) => set({ cpuFlavorId: target.value })}
          >
            <option value="">Any</option>
            {flavors.map(({ id, displayName, ramGbPerVcpu, pricePerVcpu }) => (
              <option key={id} value={id}>
                {displayName}, {ramGbPerVcpu} GB per vCPU, {perHour(pricePerVcpu)} per vCPU
              </option>
            ))}
          </Select>
        )}
      </Field>
      <Field label="vCPUs for each worker">
        {(tied) => (
          <Select
            {...tied}
            value={draft.vcpuCount}
            onChange={({ target }) => set({ vcpuCount: Number(target.value) })}
          >
            {(flavor?.vcpuCounts ?? [draft.vcpuCount]).map((n) => (
              <option key={n}>{n}</option>
            ))}
          </Select>
        )}
      </Field>
    </div>
  );
}
