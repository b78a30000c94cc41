// The choice of an image, or of a template for Pods, which has one.

import type { FieldValues, Path, UseFormReturn } from "react-hook-form";
import { api } from "../../api/client.ts";
import { SelectField, TextField } from "./form-fields.tsx";
import { templateOptions } from "./template-options.ts";

/** Values of a form that has both fields; `templateId` is empty without a template. */
export interface ImageOrTemplate {
  image: string;
  templateId: string;
}

interface Props<Values extends FieldValues> {
  form: UseFormReturn<Values>;
  placeholder: string;
}

export function ImageOrTemplateFields<Values extends ImageOrTemplate & FieldValues>({
  form,
  placeholder,
}: Props<Values>) {
  const { data: templates = [] } = api.useQuery("get", "/v1/templates", {
    params: { query: { includeRunpodTemplates: true } },
  });
  const templateId = form.watch("templateId" as Path<Values>);
  const options = templates.filter(({ isServerless }) => !isServerless);
  return (
    <>
      <SelectField
        form={form}
        name={"templateId" as never}
        label="Template"
        {...templateOptions("None", options)}
      />
      {templateId === "" && (
        <TextField form={form} name={"image" as never} label="Image" placeholder={placeholder} />
      )}
    </>
  );
}

export function imageMissing({ image, templateId }: ImageOrTemplate): { image?: string } {
  return image.trim() === "" && templateId === "" ? { image: "Required" } : {};
}
