// The forms for a new project, and for the name and the members of one.

import type { UseFormReturn } from "react-hook-form";
import { api } from "../../api/client.ts";
import { useWrite } from "../../api/use-write.ts";
import { Checkbox } from "../../components/control/field.tsx";
import { FormDialog } from "../../components/form/form-dialog.tsx";
import { CheckboxField, TextField } from "../../components/form/form-fields.tsx";
import {
  LifetimeFields,
  type LifetimeValues,
  lifetimeValues,
  maxLifetimeOf,
} from "../../components/form/lifetime-fields.tsx";
import { useSchemaForm } from "../../components/form/use-schema-form.ts";
import type { Project } from "./projects.tsx";

interface Values extends LifetimeValues {
  name: string;
  memberIds: string[];
  /** Minutes; empty for never. */
  idleMinutes: string;
  mayOptOut: boolean;
}

/** The limits of the present rule stay. */
const bodyOf = (
  { idleMinutes, mayOptOut, maxMinutes, extendable, ...values }: Values,
  { stopWhenIdle }: Partial<Project> = {},
) => ({
  ...values,
  maxLifetime: maxLifetimeOf({ maxMinutes, extendable }),
  stopWhenIdle:
    idleMinutes === "" ? null : { ...stopWhenIdle, minutes: Number(idleMinutes), mayOptOut },
});

const bodyFields = { stopWhenIdle: "idleMinutes", maxLifetime: "maxMinutes" } as const;

function IdleField({ form }: { form: UseFormReturn<Values> }) {
  return (
    <>
      <TextField
        form={form}
        name="idleMinutes"
        label="Stop its Pods when idle for, in minutes"
        hint="Empty for never. A Pod's own rule goes before it."
        type="number"
      />
      {form.watch("idleMinutes") !== "" && (
        <CheckboxField
          form={form}
          name="mayOptOut"
          label="Pods may opt out"
          hint="A Pod may say never, or have a rule that stops it later."
        />
      )}
    </>
  );
}

export function NewProject({ onClose }: { onClose: () => void }) {
  const write = useWrite("post", "/v1/projects", {
    success: ({ name }) => `Project ${name} created`,
  });
  const dialog = useSchemaForm<Values, "ProjectCreate">({
    schema: "ProjectCreate",
    defaultValues: {
      name: "",
      memberIds: [],
      idleMinutes: "",
      mayOptOut: true,
      ...lifetimeValues(),
    },
    toBody: (values) => bodyOf(values),
    fields: bodyFields,
  });
  const { form } = dialog;
  return (
    <FormDialog
      form={dialog}
      onClose={onClose}
      title="New project"
      lead="Set its limits after it is created."
      action="Create project"
      onSubmit={(body) => write.run({ body })}
    >
      <TextField form={form} name="name" label="Name" placeholder="vision" />
      <IdleField form={form} />
      <LifetimeFields
        form={form}
        label="Maximum lifetime of its Pods, in minutes"
        hint="Stops a Pod so long after its start. Empty for none. A Pod can only have a shorter one."
      />
      <MemberChoices
        members={[]}
        projectId={null}
        selected={form.watch("memberIds")}
        onChange={(memberIds) => form.setValue("memberIds", memberIds)}
      />
    </FormDialog>
  );
}

export function EditProject({ project, onClose }: { project: Project; onClose: () => void }) {
  const write = useWrite("patch", "/v1/projects/{projectId}", {
    success: ({ name }) => `Project ${name} saved`,
  });
  const dialog = useSchemaForm<Values, "ProjectUpdate">({
    schema: "ProjectUpdate",
    defaultValues: {
      name: project.name,
      memberIds: project.members.map(({ id }) => id),
      idleMinutes: project.stopWhenIdle ? String(project.stopWhenIdle.minutes) : "",
      mayOptOut: project.stopWhenIdle?.mayOptOut ?? true,
      ...lifetimeValues(project.maxLifetime),
    },
    toBody: (values) => bodyOf(values, project),
    fields: bodyFields,
  });
  const { form } = dialog;
  return (
    <FormDialog
      form={dialog}
      onClose={onClose}
      title={`Edit ${project.name}`}
      lead="A member that joins or leaves takes along what belongs to it. No limit stops it."
      action="Save project"
      onSubmit={(body) => write.run({ params: { path: { projectId: project.id } }, body })}
    >
      <TextField form={form} name="name" label="Name" />
      <IdleField form={form} />
      <LifetimeFields
        form={form}
        label="Maximum lifetime of its Pods, in minutes"
        hint="Stops a Pod so long after its start. Empty for none. A Pod can only have a shorter one."
      />
      <MemberChoices
        members={project.members}
        projectId={project.id}
        selected={form.watch("memberIds")}
        onChange={(memberIds) => form.setValue("memberIds", memberIds)}
      />
    </FormDialog>
  );
}

interface ChoicesProps {
  /** The members of the project, removed ones among them. */
  members: Project["members"];
  projectId: string | null;
  selected: string[];
  onChange: (memberIds: string[]) => void;
}

/** Members of other projects cannot be chosen. */
function MemberChoices({ members, projectId, selected, onChange }: ChoicesProps) {
  const { data: all = [] } = api.useQuery("get", "/v1/members");
  const { data: projects = [] } = api.useQuery("get", "/v1/projects");
  const former = members.filter(({ id }) => !all.some((each) => each.id === id));
  const otherOf = (memberId: string) =>
    projects.find(
      ({ id, members: each }) => id !== projectId && each.some((member) => member.id === memberId),
    );
  const toggle = (id: string, isSelected: boolean) =>
    onChange(isSelected ? [...selected, id] : selected.filter((each) => each !== id));
  return (
    <fieldset className="space-y-2">
      <legend className="mb-1 font-medium">Members</legend>
      {all.length + former.length === 0 && <p className="text-muted">No members yet</p>}
      {[...all, ...former].map(({ id, name }) => {
        const other = otherOf(id);
        return (
          <Checkbox
            key={id}
            checked={selected.includes(id)}
            disabled={other !== undefined}
            onChange={(isSelected) => toggle(id, isSelected)}
            label={name}
            {...(other && { hint: `In the project ${other.name}` })}
          />
        );
      })}
    </fieldset>
  );
}
