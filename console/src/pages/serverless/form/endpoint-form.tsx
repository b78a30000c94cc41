// The form of an endpoint, with its price.

import type { ReactNode } from "react";
import { api, type Schema } from "../../../api/client.ts";
import { useQuote } from "../../../api/quote.ts";
import { useCanWrite } from "../../../api/session.ts";
import { Button } from "../../../components/control/button.tsx";
import { Code } from "../../../components/control/copy.tsx";
import { QuoteNote } from "../../../components/feedback/quote-note.tsx";
import { FormError } from "../../../components/form/form-dialog.tsx";
import { labelErrors } from "../../../components/form/label-rows.ts";
import { useSchemaForm } from "../../../components/form/use-schema-form.ts";
import { formatHourlyPrice } from "../../../components/format/units.ts";
import { Card, Fact, Facts } from "../../../components/layout/card.tsx";
import { AdvancedFields } from "./advanced-fields.tsx";
import { bodyFields, bodyOf, type Draft } from "./endpoint-draft.ts";
import { HardwareFields } from "./hardware-fields.tsx";
import { LocationFields } from "./location-fields.tsx";
import { checkRetryPolicy } from "./retry-draft.ts";
import { ScalingFields } from "./scaling-fields.tsx";
import { TemplateFields } from "./template-fields.tsx";

interface Props {
  first: Draft;
  /** Whether the type and the compute type can no longer change. */
  fixed: boolean;
  schema: "EndpointCreateInput" | "EndpointUpdateInput";
  toBody: (draft: Draft) => Schema["EndpointCreateInput"] | Schema["EndpointUpdateInput"];
  check?: (draft: Draft) => { imageName?: string };
  action: string;
  /** The consequences of the changes, below the price. */
  note?: (draft: Draft) => ReactNode;
  curl: (draft: Draft) => string;
  onSubmit: (draft: Draft) => Promise<void>;
}

export function EndpointForm(props: Props) {
  const { first, fixed, schema, toBody, check, action, note, curl, onSubmit } = props;
  const { form, submit, error, isSubmitting } = useSchemaForm({
    schema,
    defaultValues: first,
    toBody,
    fields: bodyFields,
    check: (draft) => ({
      ...checkScaling(draft),
      ...checkRetryPolicy(draft),
      ...labelErrors(draft.labels),
      ...check?.(draft),
    }),
  });
  const draft = form.watch();
  const mayWrite = useCanWrite();
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void submit((_, values) => onSubmit(values));
      }}
      className="grid gap-4 lg:grid-cols-[1fr_22rem]"
    >
      <div className="min-w-0 space-y-4">
        <Card title="Container">
          <TemplateFields form={form} fixed={fixed} />
        </Card>
        <Card title="Hardware">
          <HardwareFields form={form} fixed={fixed} />
        </Card>
        <Card title="Scaling">
          <ScalingFields form={form} />
        </Card>
        <Card title="Location and storage">
          <LocationFields form={form} />
        </Card>
        {draft.type === "QB" && (
          <Card title="Advanced">
            <AdvancedFields form={form} />
          </Card>
        )}
      </div>
      <div className="min-w-0 space-y-4 self-start lg:sticky lg:top-6">
        <Card title="Price">
          <Price draft={draft} />
          {note?.(draft)}
          <FormError error={error} />
          <Button
            type="submit"
            variant="primary"
            busy={isSubmitting}
            disabled={!mayWrite}
            className="mt-4 w-full"
          >
            {action}
          </Button>
        </Card>
        <Card title="Use the API">
          <Code text={curl(draft)} />
        </Card>
      </div>
    </form>
  );
}

function checkScaling({ workersMin, workersMax }: Draft): { workersMin?: string } {
  return workersMin > workersMax ? { workersMin: `Must be at most ${workersMax}` } : {};
}

function Price({ draft }: { draft: Draft }) {
  const { computeType, templateId } = draft;
  const named = { ...draft, name: draft.name || "any" }; // the name may be entered last
  const body = { ...bodyOf(named), computeType, ...(templateId && { templateId }) };
  const { data: quote, error } = useQuote({ endpoint: body });
  const { data: types = [] } = api.useQuery("get", "/v1/catalog/gpu-types");
  const type = types.find(({ id }) => id === quote?.gpuTypeId);
  const price = (dollarsPerHr: number | undefined) =>
    dollarsPerHr === undefined ? "…" : formatHourlyPrice(dollarsPerHr);
  const each = quote?.costPerHr;
  const dearest = each && Math.max(each, ...quote.alternatives.map(({ costPerHr }) => costPerHr));
  if (quote?.costPerHr === 0 && !error) {
    return (
      <p data-testid="price" className="text-muted">
        Billed by the GPU of each worker while it runs. Process workers are free.
      </p>
    );
  }
  return (
    <div data-testid="price">
      <Facts>
        <Fact name="Per worker">
          {price(each)}
          {type && ` on ${type.displayName}`}
          {dearest !== each && `, up to ${price(dearest)} on other GPUs`}
        </Fact>
        <Fact name="Minimum">{price(quote?.leastPerHr)}</Fact>
        <Fact name="Maximum">{price(dearest && dearest * draft.workersMax)}</Fact>
      </Facts>
      <QuoteNote quote={quote} error={error} />
    </div>
  );
}
