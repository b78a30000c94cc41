// The form for the GPUs that are guaranteed to a project.

import { useWrite } from "../../api/use-write.ts";
import { FormDialog } from "../../components/form/form-dialog.tsx";
import { TextAreaField } from "../../components/form/form-fields.tsx";
import { formatVariables, parseNumber, parseVariables } from "../../components/form/text-values.ts";
import { useSchemaForm } from "../../components/form/use-schema-form.ts";
import type { Project } from "./projects.tsx";

interface Values {
  guaranteedGpus: string;
}

export function GuaranteeForm({ project, onClose }: { project: Project; onClose: () => void }) {
  const write = useWrite("patch", "/v1/projects/{projectId}", {
    success: `Guarantees of ${project.name} changed`,
  });
  const before = Object.entries(project.guaranteedGpus ?? {});
  const dialog = useSchemaForm<Values, "ProjectUpdate">({
    schema: "ProjectUpdate",
    defaultValues: {
      guaranteedGpus: formatVariables(
        Object.fromEntries(before.map(([id, { count }]) => [id, String(count)])),
      ),
    },
    check: ({ guaranteedGpus }): { guaranteedGpus?: string } => {
      const texts = Object.values(parseVariables(guaranteedGpus));
      const isWrong = texts.some((text) => !/^\s*\d+\s*$/.test(text));
      return isWrong ? { guaranteedGpus: "Each line takes a type and a whole number." } : {};
    },
    toBody: ({ guaranteedGpus }) => {
      const counts = Object.entries(parseVariables(guaranteedGpus)).map(
        ([id, text]) => [id, parseNumber(text)] as const,
      );
      const ended = before.map(([id]) => [id, 0] as const);
      return { guaranteedGpus: Object.fromEntries([...ended, ...counts]) };
    },
  });
  return (
    <FormDialog
      form={dialog}
      onClose={onClose}
      title={`Guarantees: ${project.name}`}
      lead="On-demand work of others leaves these GPUs. Spot Pods borrow them until the project needs them. What runs stays."
      action="Save guarantees"
      onSubmit={(body) => write.run({ params: { path: { projectId: project.id } }, body })}
    >
      <TextAreaField
        form={dialog.form}
        name="guaranteedGpus"
        label="Guaranteed GPUs by type"
        hint="One type and its number per line: NVIDIA A40=2"
        mono
      />
    </FormDialog>
  );
}
