// The GPU types to choose from, with prices and availability.

import { useMemo, useState } from "react";
import type { Schema } from "../../../api/client.ts";
import { matchesSearch, SearchInput } from "../../../components/control/search-input.tsx";
import { Checkbox } from "../../../components/form/field.tsx";
import { LabeledSelect } from "../../../components/form/labeled-select.tsx";
import { joinClasses } from "../../../components/format/class-names.ts";
import { formatHourlyPrice } from "../../../components/format/units.ts";
import type { PodDraft } from "./pod-draft.ts";
import { gpuPrice } from "./price.ts";

type GpuType = Schema["GpuType"];

interface Props {
  types: GpuType[];
  machines: Schema["Machine"][];
  draft: PodDraft;
  onSelect: (ids: string[]) => void;
}

type Order = "free" | "price" | "memory";

const orderOptions: [Order, string][] = [
  ["free", "Most available"],
  ["price", "Lowest price"],
  ["memory", "Most memory"],
];

const memoryOptions = ["0", "16", "24", "40", "48", "80", "141"].map((gb): [string, string] => [
  gb,
  gb === "0" ? "Any" : `${gb}+ GB`,
]);

export function GpuBoard({ types, machines, draft, onSelect }: Props) {
  const [search, setSearch] = useState("");
  const [order, setOrder] = useState<Order>("free");
  const [memory, setMemory] = useState("0");
  const [availableOnly, setAvailableOnly] = useState(false);
  const free = useMemo(() => freeByType(machines), [machines]);
  const price = (type: GpuType) => gpuPrice(type, draft);
  const rank: Record<Order, (type: GpuType) => number> = {
    free: ({ id }) => -(free.get(id) ?? 0),
    price,
    memory: ({ memoryInGb }) => -memoryInGb,
  };
  const visibleTypes = types
    .filter((type) => price(type) > 0 && type.memoryInGb >= Number(memory))
    .filter((type) => matchesSearch(search, type.displayName, type.id, type.manufacturer))
    .filter(({ id }) => !availableOnly || (free.get(id) ?? 0) >= draft.gpuCount)
    .sort((a, b) => rank[order](a) - rank[order](b) || price(a) - price(b));
  const toggle = (id: string) => {
    const isSelected = draft.gpuTypeIds;
    onSelect(
      isSelected.includes(id) ? isSelected.filter((each) => each !== id) : [...isSelected, id],
    );
  };
  return (
    <div>
      <div className="mb-3 flex flex-wrap items-end gap-3">
        <SearchInput label="Search GPUs" value={search} onChange={setSearch} />
        <LabeledSelect
          label="Memory"
          className="w-36"
          value={memory}
          onChange={setMemory}
          options={memoryOptions}
        />
        <LabeledSelect
          label="Sort by"
          className="w-44"
          value={order}
          onChange={setOrder}
          options={orderOptions}
        />
        <div className="flex h-9 items-center">
          <Checkbox label="Available only" checked={availableOnly} onChange={setAvailableOnly} />
        </div>
      </div>
      <ul className="grid max-h-96 grid-cols-1 gap-2 overflow-y-auto p-0.5 sm:grid-cols-2 xl:grid-cols-3">
        {visibleTypes.map((type) => (
          <li key={type.id}>
            <GpuCard
              type={type}
              price={price(type)}
              free={free.get(type.id) ?? 0}
              rank={draft.gpuTypeIds.indexOf(type.id)}
              onToggle={() => toggle(type.id)}
            />
          </li>
        ))}
      </ul>
      {visibleTypes.length === 0 && (
        <p className="py-8 text-center text-muted">No GPUs match these filters</p>
      )}
    </div>
  );
}

interface GpuProps {
  type: GpuType;
  price: number;
  free: number;
  /** Its position among the selected types, or -1. */
  rank: number;
  onToggle: () => void;
}

function GpuCard({ type, price, free, rank, onToggle }: GpuProps) {
  const isSelected = rank !== -1;
  return (
    <button
      type="button"
      aria-pressed={isSelected}
      onClick={onToggle}
      className={joinClasses(
        "flex w-full cursor-pointer flex-col rounded-card border px-3 py-2.5 text-left transition-colors",
        isSelected ? "border-accent bg-accent-soft" : "border-line bg-surface hover:bg-sunken",
      )}
    >
      <span className="flex w-full items-center justify-between gap-2">
        <span className="truncate font-medium">{type.displayName}</span>
        <span className="shrink-0">{formatHourlyPrice(price)}</span>
      </span>
      <span className="mt-0.5 flex w-full items-center justify-between gap-2 text-sm text-muted">
        <span>{type.memoryInGb} GB</span>
        <span className={free > 0 ? "text-good" : ""}>
          {free > 0 ? `${free} available` : "Unavailable"}
        </span>
      </span>
    </button>
  );
}

/** Free GPUs by type, on machines that accept new work. */
function freeByType(machines: Schema["Machine"][]): Map<string, number> {
  const free = new Map<string, number>();
  for (const { online, draining, gpus } of machines) {
    if (!online || draining) continue;
    for (const gpu of gpus) free.set(gpu.gpuTypeId, (free.get(gpu.gpuTypeId) ?? 0) + gpu.free);
  }
  return free;
}
