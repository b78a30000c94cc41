// The form for the GPUs that are guaranteed to a project, and its weight in line.

import type { Schema } from "../../api/client.ts";
import { useWrite } from "../../api/use-write.ts";
import { FormDialog } from "../../components/form/form-dialog.tsx";
import { NumberField, TextAreaField } from "../../components/form/form-fields.tsx";
import { formatVariables, parseNumber, parseVariables } from "../../components/form/text-values.ts";
import { useSchemaForm } from "../../components/form/use-schema-form.ts";
import type { Project } from "./projects.tsx";

interface Values {
  guaranteedGpus: string;
  weight: number;
}

export function GuaranteeForm({ project, onClose }: { project: Project; onClose: () => void }) {
  const write = useWrite("patch", "/v1/projects/{projectId}", {
    success: `Guarantees of ${project.name} changed`,
  });
  const params = { path: { projectId: project.id } };
  return (
    <ProjectTermsForm
      project={project}
      onClose={onClose}
      onSave={(body) => write.run({ params, body })}
    />
  );
}

interface TermsProps {
  project: Pick<Schema["Quota"]["projects"][number], "name" | "guaranteedGpus" | "share">;
  onClose: () => void;
  onSave: (terms: Schema["ProjectTerms"]) => Promise<unknown>;
}

export function ProjectTermsForm({ project, onClose, onSave }: TermsProps) {
  const before = Object.entries(project.guaranteedGpus ?? {});
  const dialog = useSchemaForm<Values, "ProjectUpdate">({
    schema: "ProjectUpdate",
    defaultValues: {
      guaranteedGpus: formatVariables(
        Object.fromEntries(before.map(([id, { count }]) => [id, String(count)])),
      ),
      weight: project.share.weight,
    },
    check: ({ guaranteedGpus }): { guaranteedGpus?: string } => {
      const texts = Object.values(parseVariables(guaranteedGpus));
      const isWrong = texts.some((text) => !/^\s*\d+\s*$/.test(text));
      return isWrong ? { guaranteedGpus: "Each line takes a type and a whole number." } : {};
    },
    toBody: ({ guaranteedGpus, weight }) => {
      const counts = Object.entries(parseVariables(guaranteedGpus)).map(
        ([id, text]) => [id, parseNumber(text)] as const,
      );
      const ended = before.map(([id]) => [id, 0] as const);
      return {
        guaranteedGpus: Object.fromEntries([...ended, ...counts]),
        weight,
      };
    },
  });
  return (
    <FormDialog
      form={dialog}
      onClose={onClose}
      title={`Guarantees: ${project.name}`}
      lead="On-demand work of others leaves these GPUs. Spot Pods borrow them until the project needs them. What runs stays."
      action="Save guarantees"
      onSubmit={({ guaranteedGpus = {}, weight = 1 }) => onSave({ guaranteedGpus, weight })}
    >
      <TextAreaField
        form={dialog.form}
        name="guaranteedGpus"
        label="Guaranteed GPUs by type"
        hint="One type and its number per line: NVIDIA A40=2"
        mono
      />
      <NumberField
        form={dialog.form}
        name="weight"
        label="Weight"
        min={1}
        max={1000}
        step={1}
        hint="In line, a project of weight 3 gets three times as many GPUs as one of weight 1."
      />
    </FormDialog>
  );
}
