// A new template, or another form of one.

import { useState } from "react";
import { api, service } from "../../api/client.ts";
import { Checkbox, Field, Select, TextArea, TextInput } from "../../parts/field.tsx";
import { FormDialog } from "../../parts/form-dialog.tsx";
import { say } from "../../parts/toast.tsx";
import { type TemplateDraft, templateBodyOf, templateDraft } from "./template-draft.ts";
import type { Template } from "./templates.tsx";

interface Props {
  /** Null for a new one. */
  template: Template | null;
  onClose: () => void;
}

export function TemplateForm({ template, onClose }: Props) {
  const [draft, setDraft] = useState(() => templateDraft(template));
  const set = (news: Partial<TemplateDraft>) => setDraft((now) => ({ ...now, ...news }));
  const save = async () => {
    const body = templateBodyOf(draft);
    const { error } = template
      ? await service.PATCH("/v1/templates/{templateId}", {
          params: { path: { templateId: template.id } },
          body,
        })
      : await service.POST("/v1/templates", {
          body: { ...body, isServerless: draft.isServerless },
        });
    if (error) throw error;
    say(`Template ${draft.name} is kept`);
  };
  return (
    <FormDialog
      open
      wide
      onClose={onClose}
      title={template ? `Edit ${template.name}` : "New template"}
      {...(template && {
        lead: "Another image, command or variables are a new release of each endpoint that uses it.",
      })}
      action="Keep template"
      onSubmit={save}
    >
      <Container draft={draft} set={set} />
      <Surroundings draft={draft} set={set} fixed={template !== null} />
    </FormDialog>
  );
}

interface PartProps {
  draft: TemplateDraft;
  set: (news: Partial<TemplateDraft>) => void;
}

function Container({ draft, set }: PartProps) {
  const text = (member: TextMember, label: string, hint?: string, required = false) => (
    <Field label={label} hint={hint}>
      {(tied) => (
        <TextInput
          {...tied}
          required={required}
          value={draft[member]}
          onChange={({ target }) => set({ [member]: target.value })}
        />
      )}
    </Field>
  );
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      {text("name", "Name", "For people.", true)}
      {text("imageName", "Image", "As in docker pull.", true)}
      {text("entrypoint", "Entrypoint", "Empty: the image's own.")}
      {text("command", "Start command", "Empty: the image's own.")}
      {text("ports", "Ports", "Such as 8888/http, 22/tcp.")}
      {text("volumeMountPath", "Volume's path", "Where the volume is mounted.", true)}
      {text("containerDiskInGb", "Container disk in GB", "Wiped on a restart.", true)}
      {text("volumeInGb", "Volume in GB", "Outlives a restart.", true)}
    </div>
  );
}

/** `fixed`: what it is for was said once. */
function Surroundings({ draft, set, fixed }: PartProps & { fixed: boolean }) {
  const { data: auths = [] } = api.useQuery("get", "/v1/containerregistryauth");
  return (
    <>
      <Field
        label="Variables"
        hint="NAME=value, one on each line; {{ RUNPOD_SECRET_name }} for a secret."
      >
        {(tied) => (
          <TextArea
            {...tied}
            value={draft.env}
            onChange={({ target }) => set({ env: target.value })}
            className="min-h-28 font-mono text-sm"
          />
        )}
      </Field>
      <Field label="Registry credentials" hint="For a private image.">
        {(tied) => (
          <Select
            {...tied}
            value={draft.containerRegistryAuthId}
            onChange={({ target }) => set({ containerRegistryAuthId: target.value })}
          >
            <option value="">None</option>
            {auths.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </Select>
        )}
      </Field>
      {!fixed && (
        <Checkbox
          checked={draft.isServerless}
          onChange={(isServerless) => set({ isServerless })}
          label="For endpoints"
          hint="Its image takes jobs; else it is for Pods."
        />
      )}
      <Checkbox
        checked={draft.isPublic}
        onChange={(isPublic) => set({ isPublic })}
        label="Public"
        hint="Other accounts find and read it, with its variables."
      />
    </>
  );
}

type TextMember = Exclude<keyof TemplateDraft, "isServerless" | "isPublic">;
