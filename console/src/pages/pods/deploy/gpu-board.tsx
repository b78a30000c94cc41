// The GPU types to choose from, in groups by memory, with prices and stock.

import { useState } from "react";
import type { Schema } from "../../../api/client.ts";
import { Checkbox } from "../../../components/control/field.tsx";
import { matchesSearch, SearchInput } from "../../../components/control/search-input.tsx";
import { joinClasses } from "../../../components/format/class-names.ts";
import { formatHourlyPrice } from "../../../components/format/units.ts";
import type { PodDraft } from "./pod-draft.ts";
import { gpuPrice } from "./price.ts";
import { hasRealGpus, memoryGroups, type Stock, type StockByType } from "./stock.ts";

type GpuType = Schema["GpuType"];

interface Props {
  types: GpuType[];
  stock: StockByType;
  draft: PodDraft;
  onSelect: (ids: string[]) => void;
}

const NONE: Stock = { free: 0, virtual: false };

export function GpuBoard({ types, stock, draft, onSelect }: Props) {
  const [search, setSearch] = useState("");
  const [availableOnly, setAvailableOnly] = useState(true);
  const stockOf = ({ id }: GpuType) => stock.get(id) ?? NONE;
  const price = (type: GpuType) => gpuPrice(type, draft);
  const isVisible = (type: GpuType) =>
    draft.gpuTypeIds.includes(type.id) ||
    ((!availableOnly || stockOf(type).free >= draft.gpuCount) &&
      matchesSearch(search, type.displayName, type.id, type.manufacturer));
  const visibleTypes = types
    .filter((type) => price(type) > 0 && isVisible(type))
    .sort((a, b) => price(a) - price(b));
  const groups = Map.groupBy(visibleTypes, ({ memoryInGb }) =>
    memoryGroups.findIndex(([, mostGb]) => memoryInGb <= mostGb),
  );
  const toggle = ({ id }: GpuType) => {
    const ids = draft.gpuTypeIds;
    onSelect(ids.includes(id) ? ids.filter((each) => each !== id) : [...ids, id]);
  };
  return (
    <div>
      <div className="mb-3 flex flex-wrap items-center gap-3">
        <SearchInput label="Search GPUs" value={search} onChange={setSearch} />
        <Checkbox label="Available only" checked={availableOnly} onChange={setAvailableOnly} />
      </div>
      {stock.size > 0 && !hasRealGpus(stock) && <VirtualNote />}
      <div className="max-h-[30rem] space-y-4 overflow-y-auto p-0.5">
        {memoryGroups.map(
          ([name], n) =>
            groups.has(n) && (
              <section key={name} aria-label={name}>
                <h3 className="mb-1.5 text-sm text-muted">{name}</h3>
                <ul className="grid grid-cols-1 gap-2 sm:grid-cols-2 xl:grid-cols-3">
                  {groups.get(n)!.map((type) => (
                    <li key={type.id}>
                      <GpuCard
                        type={type}
                        price={price(type)}
                        stock={stockOf(type)}
                        isSelected={draft.gpuTypeIds.includes(type.id)}
                        onToggle={() => toggle(type)}
                      />
                    </li>
                  ))}
                </ul>
              </section>
            ),
        )}
      </div>
      {visibleTypes.length === 0 && (
        <p className="py-8 text-center text-muted">
          {availableOnly ? "No GPUs are available" : "No GPUs match this search"}
        </p>
      )}
    </div>
  );
}

/** All GPUs here are simulated. */
function VirtualNote() {
  return (
    <p className="mb-3 rounded-control bg-warn-soft px-3 py-2 text-sm text-warn">
      There are only simulated GPUs here. They show how Freehold works with GPUs: a Pod on them gets
      no GPU device.
    </p>
  );
}

interface GpuProps {
  type: GpuType;
  price: number;
  stock: Stock;
  isSelected: boolean;
  onToggle: () => void;
}

function GpuCard({ type, price, stock: { free, virtual }, isSelected, onToggle }: GpuProps) {
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
          {virtual && ", simulated"}
        </span>
      </span>
    </button>
  );
}
