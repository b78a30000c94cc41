// A new savings plan, with what it costs and what it saves before the click.

import { useState } from "react";
import { api, type Schema, service } from "../../api/client.ts";
import { FormDialog } from "../../parts/form-dialog.tsx";
import { SelectField, TextField } from "../../parts/text-field.tsx";
import { say } from "../../parts/toast.tsx";
import { dollars, perHour } from "../../parts/units.ts";
import { lengths } from "./savings-plans.tsx";

type PlanLength = Schema["SavingsPlan"]["planLength"];
type GpuType = Schema["GpuType"];

const hours: Record<PlanLength, number> = { threeMonth: 3 * 730, sixMonth: 6 * 730 };

const priceOf = (type: GpuType | undefined, length: PlanLength) =>
  length === "threeMonth" ? type?.threeMonthPrice : type?.sixMonthPrice;

const priced = (type: GpuType, length: PlanLength) =>
  `${type.displayName}, ${perHour(priceOf(type, length) ?? 0)}`;

export function BuyPlan({ onClose }: { onClose: () => void }) {
  const { data: types = [] } = api.useQuery("get", "/v1/catalog/gpu-types");
  const [length, setLength] = useState<PlanLength>("threeMonth");
  const [chosen, setChosen] = useState("");
  const [gpus, setGpus] = useState("1");
  const gpuCount = Number(gpus);
  const offered = types.filter((type) => priceOf(type, length) !== undefined);
  const type = offered.find(({ id }) => id === chosen) ?? offered[0];
  const price = priceOf(type, length);
  const upfrontCost = Math.round((price ?? 0) * gpuCount * hours[length] * 1e6) / 1e6;
  const buy = async () => {
    if (!type) throw { error: "No GPU type has a plan of this length." };
    const { error } = await service.POST("/v1/savings-plans", {
      body: { gpuTypeId: type.id, gpuCount, planLength: length, upfrontCost },
    });
    if (error) throw error;
    say(`The plan is bought for ${dollars(upfrontCost)}`);
  };
  return (
    <FormDialog
      open
      onClose={onClose}
      title="Buy a savings plan"
      lead="All of it is paid at once from the balance, and not given back. It moves by itself from a Pod that ends to another one that runs."
      action={`Pay ${dollars(upfrontCost)}`}
      onSubmit={buy}
    >
      <SelectField
        label="For"
        value={length}
        onChange={setLength}
        options={Object.entries(lengths) as [PlanLength, string][]}
      />
      <SelectField
        label="GPU type"
        value={type?.id ?? ""}
        onChange={setChosen}
        options={offered.map((each) => [each.id, priced(each, length)])}
      />
      <TextField
        label="GPUs"
        hint="It covers up to so many, all of one Pod."
        type="number"
        required
        min={1}
        max={1_000}
        value={gpus}
        onChange={setGpus}
      />
      {type && price !== undefined && (
        <p className="text-sm text-muted">
          {perHour(price)} for each GPU instead of {perHour(type.securePrice)} on demand, for{" "}
          {hours[length]} hours.
        </p>
      )}
    </FormDialog>
  );
}
