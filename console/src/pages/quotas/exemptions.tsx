// The exemptions of the account: Pods that are not stopped for being idle or at their maximum lifetime.

import { useState } from "react";
import { api, type Schema } from "../../api/client.ts";
import { useCanView, useCanWrite } from "../../api/session.ts";
import { useWrite } from "../../api/use-write.ts";
import { Button } from "../../components/control/button.tsx";
import { QueryResult } from "../../components/data/query-result.tsx";
import { actionsColumn, type Column, Table } from "../../components/data/table.tsx";
import { ConfirmDialog } from "../../components/form/confirm-dialog.tsx";
import { FormDialog } from "../../components/form/form-dialog.tsx";
import { SelectField, TextField } from "../../components/form/form-fields.tsx";
import { useSchemaForm } from "../../components/form/use-schema-form.ts";
import { formatDateTime, timeZone } from "../../components/format/time.ts";
import { Card } from "../../components/layout/card.tsx";
import { SkeletonRows } from "../../components/layout/skeleton.tsx";
import { instantOf } from "../../time-zone.ts";

type Exemption = Schema["Exemption"];

export function Exemptions() {
  const query = api.useQuery("get", "/v1/exemptions");
  const namesById = useNames();
  const canWrite = useCanWrite();
  const mayWrite = useCanView("account") && canWrite;
  const [isOpen, setOpen] = useState(false);
  const [ending, setEnding] = useState<Exemption | null>(null);
  const actions = actionsColumn<Exemption>(
    (exemption) => (
      <Button
        small
        aria-label={`End the exemption of ${targetOf(exemption, namesById)}`}
        onClick={() => setEnding(exemption)}
      >
        End
      </Button>
    ),
    "5rem",
  );
  const columns = columnsWith(namesById);
  return (
    <Card
      title="Exemptions"
      className="mt-5"
      aside={
        mayWrite && (
          <Button small onClick={() => setOpen(true)}>
            New exemption
          </Button>
        )
      }
    >
      <p className="mb-3 text-sm text-muted">
        These Pods are not stopped for being idle, and not at their maximum lifetime.
      </p>
      <QueryResult query={query} skeleton={<SkeletonRows rows={1} />}>
        {(exemptions) =>
          exemptions.length === 0 ? (
            <p className="text-sm text-muted">No exemptions</p>
          ) : (
            <Table
              label="Exemptions"
              columns={mayWrite ? [...columns, actions] : columns}
              rows={exemptions}
              idOf={({ id }) => id}
            />
          )
        }
      </QueryResult>
      {isOpen && <NewExemption onClose={() => setOpen(false)} />}
      {ending && (
        <EndExemption
          exemption={ending}
          name={targetOf(ending, namesById)}
          onClose={() => setEnding(null)}
        />
      )}
    </Card>
  );
}

type Names = ReadonlyMap<string, string>;

/** The names of what exemptions name by its id. */
function useNames(): Names {
  const { data: pods = [] } = api.useQuery("get", "/v1/pods");
  const { data: projects = [] } = api.useQuery("get", "/v1/projects");
  const { data: quota } = api.useQuery("get", "/v1/quota");
  const all = [...pods, ...projects, ...(quota?.members ?? [])];
  return new Map(all.map(({ id, name }) => [id, name]));
}

function targetOf({ podId, memberId, projectId, label }: Exemption, names: Names): string {
  const nameOf = (id: string) => names.get(id) ?? id;
  if (podId) return `Pod ${nameOf(podId)}`;
  if (memberId) return `Pods of ${nameOf(memberId)}`;
  return projectId ? `Project ${nameOf(projectId)}` : `Label ${label}`;
}

const columnsWith = (names: Names): Column<Exemption>[] => [
  {
    title: "Exempt",
    width: "minmax(6rem, 1fr)",
    cell: (exemption) => targetOf(exemption, names),
  },
  {
    title: "Until",
    width: "11rem",
    minWidth: "sm",
    cell: ({ until }) => (until ? formatDateTime(until) : "For good"),
  },
  { title: "Reason", width: "minmax(6rem, 2fr)", cell: ({ reason }) => reason },
  {
    title: "Created by",
    width: "8rem",
    minWidth: "sm",
    cell: ({ createdBy, byOperator }) => createdBy?.name ?? (byOperator ? "the operator" : "–"),
  },
];

const fieldNames = {
  podId: "Pod",
  memberId: "Pods of a member",
  projectId: "Pods of a project",
  label: "Pods with a label",
} as const;
type Field = keyof typeof fieldNames;

interface Draft {
  field: Field;
  target: string;
  /** A local time; empty for never. */
  until: string;
  reason: string;
}

function NewExemption({ onClose }: { onClose: () => void }) {
  const write = useWrite("post", "/v1/exemptions", { success: "Exemption created" });
  const dialog = useSchemaForm<Draft, "ExemptionCreate">({
    schema: "ExemptionCreate",
    defaultValues: { field: "podId", target: "", until: "", reason: "" },
    toBody: ({ field, target, until, reason }) => ({
      [field]: target,
      ...(until !== "" && { until: instantOf(until) }),
      reason,
    }),
    fields: { podId: "target", memberId: "target", projectId: "target", label: "target" },
  });
  const { form } = dialog;
  return (
    <FormDialog
      form={dialog}
      onClose={onClose}
      title="New exemption"
      lead="Its Pods are not stopped for being idle, and not at their maximum lifetime."
      action="Create exemption"
      onSubmit={(body) => write.run({ body })}
    >
      <SelectField
        form={form}
        name="field"
        label="Exempt"
        options={Object.entries(fieldNames) as [Field, string][]}
      />
      <Target form={form} field={form.watch("field")} />
      <TextField
        form={form}
        name="until"
        label="Until"
        hint={`In the time zone ${timeZone()}. Empty for good.`}
        type="datetime-local"
      />
      <TextField form={form} name="reason" label="Reason" />
    </FormDialog>
  );
}

interface TargetProps {
  form: Parameters<typeof SelectField<Draft>>[0]["form"];
  field: Field;
}

function Target({ form, field }: TargetProps) {
  const { data: pods = [] } = api.useQuery("get", "/v1/pods");
  const { data: projects = [] } = api.useQuery("get", "/v1/projects");
  const { data: quota } = api.useQuery("get", "/v1/quota");
  if (field === "label")
    return <TextField form={form} name="target" label="Label" placeholder="team=search" />;
  const items = { podId: pods, projectId: projects, memberId: quota?.members ?? [] }[field];
  const label = { podId: "Pod", projectId: "Project", memberId: "Member" }[field];
  return (
    <SelectField
      form={form}
      name="target"
      label={label}
      options={[["", "Choose"], ...items.map(({ id, name }) => [id, name || id] as const)]}
    />
  );
}

interface EndProps {
  exemption: Exemption;
  name: string;
  onClose: () => void;
}

function EndExemption({ exemption, name, onClose }: EndProps) {
  const write = useWrite("delete", "/v1/exemptions/{exemptionId}", {
    success: "Exemption ended",
  });
  return (
    <ConfirmDialog
      write={write}
      onClose={onClose}
      title={`End the exemption of ${name}?`}
      action="End exemption"
      onConfirm={() => write.run({ params: { path: { exemptionId: exemption.id } } })}
    >
      <p>
        Pods that are past their maximum lifetime stop after a warning of five minutes. The time
        that Pods must be idle begins again.
      </p>
    </ConfirmDialog>
  );
}
