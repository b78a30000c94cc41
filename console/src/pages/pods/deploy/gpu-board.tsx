// GPUs to choose from: what each is, what it costs, and how many are free right now.

import { useMemo, useState } from "react";
import type { Schema } from "../../../api/client.ts";
import { classes } from "../../../parts/classes.ts";
import { Checkbox } from "../../../parts/field.tsx";
import { fits, SearchInput } from "../../../parts/search.tsx";
import { SelectField } from "../../../parts/text-field.tsx";
import { perHour } from "../../../parts/units.ts";
import { gpuPrice } from "./price.ts";
import type { Wish } from "./wish.ts";

type GpuType = Schema["GpuType"];

interface Props {
  types: GpuType[];
  machines: Schema["Machine"][];
  wish: Wish;
  onChoose: (ids: string[]) => void;
}

type Order = "free" | "price" | "memory";

const orders: [Order, string][] = [
  ["free", "Most free first"],
  ["price", "Cheapest first"],
  ["memory", "Most memory first"],
];

const memories = ["0", "16", "24", "40", "48", "80", "141"].map((gb): [string, string] => [
  gb,
  gb === "0" ? "Any" : `${gb} GB or more`,
]);

export function GpuBoard({ types, machines, wish, onChoose }: Props) {
  const [search, setSearch] = useState("");
  const [order, setOrder] = useState<Order>("free");
  const [memory, setMemory] = useState("0");
  const [onlyFree, setOnlyFree] = useState(false);
  const free = useMemo(() => freeByType(machines), [machines]);
  const price = (type: GpuType) => gpuPrice(type, wish);
  const rank: Record<Order, (type: GpuType) => number> = {
    free: ({ id }) => -(free.get(id) ?? 0),
    price,
    memory: ({ memoryInGb }) => -memoryInGb,
  };
  const shown = types
    .filter((type) => price(type) > 0 && type.memoryInGb >= Number(memory))
    .filter((type) => fits(search, type.displayName, type.id, type.manufacturer))
    .filter(({ id }) => !onlyFree || (free.get(id) ?? 0) >= wish.gpuCount)
    .sort((a, b) => rank[order](a) - rank[order](b) || price(a) - price(b));
  const toggle = (id: string) => {
    const chosen = wish.gpuTypeIds;
    onChoose(chosen.includes(id) ? chosen.filter((each) => each !== id) : [...chosen, id]);
  };
  return (
    <div>
      <div className="mb-3 flex flex-wrap items-end gap-3">
        <SearchInput label="Search GPUs" value={search} onChange={setSearch} />
        <SelectField
          label="Memory"
          className="w-36"
          value={memory}
          onChange={setMemory}
          options={memories}
        />
        <SelectField
          label="Order"
          className="w-44"
          value={order}
          onChange={setOrder}
          options={orders}
        />
        <div className="flex h-9 items-center">
          <Checkbox label="Only what is free" checked={onlyFree} onChange={setOnlyFree} />
        </div>
      </div>
      <ul className="grid max-h-96 grid-cols-1 gap-2 overflow-y-auto p-0.5 sm:grid-cols-2 xl:grid-cols-3">
        {shown.map((type) => (
          <li key={type.id}>
            <Gpu
              type={type}
              price={price(type)}
              free={free.get(type.id) ?? 0}
              rank={wish.gpuTypeIds.indexOf(type.id)}
              onToggle={() => toggle(type.id)}
            />
          </li>
        ))}
      </ul>
      {shown.length === 0 && (
        <p className="py-8 text-center text-muted">No GPU is like that. Ask for less.</p>
      )}
    </div>
  );
}

interface GpuProps {
  type: GpuType;
  price: number;
  free: number;
  /** Its place among those chosen; -1 where it is not. */
  rank: number;
  onToggle: () => void;
}

function Gpu({ type, price, free, rank, onToggle }: GpuProps) {
  const chosen = rank !== -1;
  return (
    <button
      type="button"
      aria-pressed={chosen}
      onClick={onToggle}
      className={classes(
        "flex w-full cursor-pointer flex-col rounded-card border px-3 py-2.5 text-left transition-colors",
        chosen ? "border-accent bg-accent-soft" : "border-line bg-surface hover:bg-sunken",
      )}
    >
      <span className="flex w-full items-center justify-between gap-2">
        <span className="truncate font-medium">{type.displayName}</span>
        <span className="shrink-0">{perHour(price)}</span>
      </span>
      <span className="mt-0.5 flex w-full items-center justify-between gap-2 text-sm text-muted">
        <span>{type.memoryInGb} GB</span>
        <span className={free > 0 ? "text-good" : ""}>
          {free > 0 ? `${free} free` : "none free"}
        </span>
      </span>
    </button>
  );
}

/** On machines that take something new. */
function freeByType(machines: Schema["Machine"][]): Map<string, number> {
  const free = new Map<string, number>();
  for (const { online, draining, gpus } of machines) {
    if (!online || draining) continue;
    for (const gpu of gpus) free.set(gpu.gpuTypeId, (free.get(gpu.gpuTypeId) ?? 0) + gpu.free);
  }
  return free;
}
