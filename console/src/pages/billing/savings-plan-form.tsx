// The form for a savings plan, with its cost and savings.

import { api, type Schema } from "../../api/client.ts";
import { useWrite } from "../../api/use-write.ts";
import { FormDialog } from "../../components/form/form-dialog.tsx";
import { NumberField, SelectField } from "../../components/form/form-fields.tsx";
import { useSchemaForm } from "../../components/form/use-schema-form.ts";
import { formatDollars, formatHourlyPrice } from "../../components/format/units.ts";
import { termLabels } from "./savings-plans.tsx";

type PlanLength = Schema["SavingsPlan"]["planLength"];
type GpuType = Schema["GpuType"];

const hours: Record<PlanLength, number> = { threeMonth: 3 * 730, sixMonth: 6 * 730 };

const priceOf = (type: GpuType | undefined, length: PlanLength) =>
  length === "threeMonth" ? type?.threeMonthPrice : type?.sixMonthPrice;

const typeLabel = (type: GpuType, length: PlanLength) =>
  `${type.displayName}, ${formatHourlyPrice(priceOf(type, length) ?? 0)}`;

export function SavingsPlanForm({ onClose }: { onClose: () => void }) {
  const { data: types = [] } = api.useQuery("get", "/v1/catalog/gpu-types");
  const typeOf = ({ planLength, gpuTypeId }: { planLength: string; gpuTypeId: string }) => {
    const offered = types.filter((type) => priceOf(type, planLength as PlanLength) !== undefined);
    return { offered, type: offered.find(({ id }) => id === gpuTypeId) ?? offered[0] };
  };
  const write = useWrite("post", "/v1/savings-plans", {
    success: ({ upfrontCost }) => `Savings plan purchased for ${formatDollars(upfrontCost)}`,
  });
  const dialog = useSchemaForm({
    schema: "SavingsPlanCreate",
    defaultValues: { planLength: "threeMonth", gpuTypeId: "", gpuCount: 1 },
    toBody: (values) => {
      const planLength = values.planLength as PlanLength;
      const { type } = typeOf(values);
      const upfrontCost = costOf(type, planLength, values.gpuCount);
      return { gpuTypeId: type?.id ?? "", gpuCount: values.gpuCount, planLength, upfrontCost };
    },
  });
  const { form } = dialog;
  const values = form.watch();
  const { planLength: length, upfrontCost } = dialog.body(values);
  const { offered, type } = typeOf(values);
  const price = priceOf(type, length);
  return (
    <FormDialog
      form={dialog}
      onClose={onClose}
      title="Buy a savings plan"
      lead="Paid up front from your balance and not refundable. When the covered Pod ends, the plan moves to another running Pod."
      action={`Pay ${formatDollars(upfrontCost || 0)}`}
      onSubmit={(body) => write.run({ body })}
    >
      <SelectField
        form={form}
        name="planLength"
        label="Term"
        options={Object.entries(termLabels)}
      />
      <SelectField
        form={form}
        name="gpuTypeId"
        label="GPU type"
        options={offered.map((each) => [each.id, typeLabel(each, length)] as const)}
      />
      <NumberField
        form={form}
        name="gpuCount"
        label="GPUs"
        hint="Maximum number of GPUs covered, all in one Pod."
      />
      {type && price !== undefined && (
        <p className="text-sm text-muted">
          {formatHourlyPrice(price)} per GPU instead of {formatHourlyPrice(type.securePrice)} on
          demand, for {hours[length]} hours.
        </p>
      )}
    </FormDialog>
  );
}

/** Dollars, to the millionth. */
const costOf = (type: GpuType | undefined, length: PlanLength, gpuCount: number) =>
  Math.round((priceOf(type, length) ?? 0) * gpuCount * hours[length] * 1e6) / 1e6;
