// The CPU flavors to choose from.

import type { UseFormReturn } from "react-hook-form";
import type { Schema } from "../../../api/client.ts";
import { NumberSelectField } from "../../../components/form/form-fields.tsx";
import { joinClasses } from "../../../components/format/class-names.ts";
import { formatHourlyPrice } from "../../../components/format/units.ts";
import type { PodDraft } from "./pod-draft.ts";

interface Props {
  flavors: Schema["CpuFlavor"][];
  form: UseFormReturn<PodDraft>;
}

export function CpuBoard({ flavors, form }: Props) {
  const selectedId = form.watch("cpuFlavorId");
  const flavor = flavors.find(({ id }) => id === selectedId);
  const counts = [...new Set((flavor ? [flavor] : flavors).flatMap((each) => each.vcpuCounts))];
  return (
    <div className="space-y-4">
      <ul className="grid grid-cols-1 gap-2 sm:grid-cols-2">
        {flavors.map((each) => {
          const isSelected = each.id === selectedId;
          return (
            <li key={each.id}>
              <button
                type="button"
                aria-pressed={isSelected}
                onClick={() => form.setValue("cpuFlavorId", isSelected ? "" : each.id)}
                className={joinClasses(
                  "flex w-full cursor-pointer flex-col rounded-card border px-3 py-2.5 text-left transition-colors",
                  isSelected
                    ? "border-accent bg-accent-soft"
                    : "border-line bg-surface hover:bg-sunken",
                )}
              >
                <span className="flex flex-wrap justify-between gap-x-2">
                  <span className="font-medium">{each.displayName}</span>
                  <span>{formatHourlyPrice(each.pricePerVcpu)}</span>
                </span>
                <span className="mt-0.5 text-sm text-muted">
                  {each.id}, per vCPU with {each.ramGbPerVcpu} GB
                </span>
              </button>
            </li>
          );
        })}
      </ul>
      <NumberSelectField
        form={form}
        name="vcpuCount"
        label="vCPUs"
        className="w-40"
        options={counts.sort((a, b) => a - b).map((n) => [n, `${n} vCPU`] as const)}
      />
    </div>
  );
}
