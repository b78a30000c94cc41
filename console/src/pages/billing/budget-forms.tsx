// A new budget, and another limit for one.

import { useState } from "react";
import { api, service } from "../../api/client.ts";
import { Field, Select, TextInput } from "../../parts/field.tsx";
import { FormDialog } from "../../parts/form-dialog.tsx";
import { say } from "../../parts/toast.tsx";
import type { Budget } from "./budgets.tsx";

export function NewBudget({ onClose }: { onClose: () => void }) {
  const { data: endpoints = [] } = api.useQuery("get", "/v1/endpoints");
  const { data: keys = [] } = api.useQuery("get", "/v1/keys");
  const [name, setName] = useState("");
  const [period, setPeriod] = useState<Budget["period"]>("month");
  const [limit, setLimit] = useState(100);
  // "account", "endpoint <id>" or "key <id>"
  const [scope, setScope] = useState("account");
  const create = async () => {
    const [of, id] = scope.split(" ");
    const { error } = await service.POST("/v1/budgets", {
      body: {
        name,
        period,
        limit,
        ...(of === "endpoint" && { endpointId: id }),
        ...(of === "key" && { keyId: id }),
      },
    });
    if (error) throw error;
    say("The budget is set");
  };
  return (
    <FormDialog
      open
      onClose={onClose}
      title="New budget"
      lead="Once it is spent, what counts against it is stopped within seconds."
      action="Set budget"
      onSubmit={create}
    >
      <Field label="For">
        {(tied) => (
          <Select {...tied} value={scope} onChange={({ target }) => setScope(target.value)}>
            <option value="account">The whole account</option>
            {endpoints.map(({ id, name: shown }) => (
              <option key={id} value={`endpoint ${id}`}>
                Endpoint {shown || id}
              </option>
            ))}
            {keys.map(({ id, name: shown }) => (
              <option key={id} value={`key ${id}`}>
                What key {shown} made
              </option>
            ))}
          </Select>
        )}
      </Field>
      <Limit limit={limit} onChange={setLimit} />
      <Field label="In each">
        {(tied) => (
          <Select
            {...tied}
            value={period}
            onChange={({ target }) => setPeriod(target.value as Budget["period"])}
          >
            <option value="hour">hour</option>
            <option value="day">day</option>
            <option value="month">month</option>
          </Select>
        )}
      </Field>
      <Named name={name} onChange={setName} />
    </FormDialog>
  );
}

export function ChangeBudget({ budget, onClose }: { budget: Budget; onClose: () => void }) {
  const [name, setName] = useState(budget.name);
  const [limit, setLimit] = useState(budget.limit);
  const save = async () => {
    const { error } = await service.PATCH("/v1/budgets/{budgetId}", {
      params: { path: { budgetId: budget.id } },
      body: { name, limit },
    });
    if (error) throw error;
    say("The budget is changed");
  };
  return (
    <FormDialog
      open
      onClose={onClose}
      title="Change budget"
      lead="The limit counts at once, for what is spent in this period too."
      action="Save"
      onSubmit={save}
    >
      <Limit limit={limit} onChange={setLimit} />
      <Named name={name} onChange={setName} />
    </FormDialog>
  );
}

function Limit({ limit, onChange }: { limit: number; onChange: (limit: number) => void }) {
  return (
    <Field label="Dollars">
      {(tied) => (
        <TextInput
          {...tied}
          type="number"
          required
          min={0.000001}
          step="any"
          value={Number.isNaN(limit) ? "" : limit}
          onChange={({ target }) => onChange(target.valueAsNumber)}
        />
      )}
    </Field>
  );
}

function Named({ name, onChange }: { name: string; onChange: (name: string) => void }) {
  return (
    <Field label="Name" hint="For people; may be empty.">
      {(tied) => (
        <TextInput
          {...tied}
          maxLength={191}
          value={name}
          onChange={({ target }) => onChange(target.value)}
        />
      )}
    </Field>
  );
}
