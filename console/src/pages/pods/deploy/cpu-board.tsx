// CPUs to choose from.

import type { Schema } from "../../../api/client.ts";
import { classes } from "../../../parts/classes.ts";
import { Field, Select } from "../../../parts/field.tsx";
import { perHour } from "../../../parts/units.ts";
import type { Wish } from "./wish.ts";

interface Props {
  flavors: Schema["CpuFlavor"][];
  wish: Wish;
  change: (changes: Partial<Wish>) => void;
}

export function CpuBoard({ flavors, wish, change }: Props) {
  const flavor = flavors.find(({ id }) => id === wish.cpuFlavorId);
  const counts = [...new Set((flavor ? [flavor] : flavors).flatMap((each) => each.vcpuCounts))];
  return (
    <div className="space-y-4">
      <ul className="grid grid-cols-1 gap-2 sm:grid-cols-2 xl:grid-cols-3">
        {flavors.map((each) => {
          const chosen = each.id === wish.cpuFlavorId;
          return (
            <li key={each.id}>
              <button
                type="button"
                aria-pressed={chosen}
                onClick={() => change({ cpuFlavorId: chosen ? "" : each.id })}
                className={classes(
                  "flex w-full cursor-pointer flex-col rounded-card border px-3 py-2.5 text-left transition-colors",
                  chosen
                    ? "border-accent bg-accent-soft"
                    : "border-line bg-surface hover:bg-sunken",
                )}
              >
                <span className="flex justify-between gap-2">
                  <span className="truncate font-medium">{each.displayName}</span>
                  <span className="shrink-0">{perHour(each.pricePerVcpu)} per vCPU</span>
                </span>
                <span className="mt-0.5 text-sm text-muted">
                  {each.id}, {each.ramGbPerVcpu} GB per vCPU
                </span>
              </button>
            </li>
          );
        })}
      </ul>
      <Field label="Virtual CPUs" className="w-40">
        {(tied) => (
          <Select
            {...tied}
            value={wish.vcpuCount}
            onChange={({ target }) => change({ vcpuCount: Number(target.value) })}
          >
            {counts
              .sort((a, b) => a - b)
              .map((n) => (
                <option key={n} value={n}>{`${n} vCPU`}</option>
              ))}
          </Select>
        )}
      </Field>
    </div>
  );
}
