// What the workers run: a template there is, or a new one from an image.

import { api } from "../../../api/client.ts";
import { Field, Select, TextInput } from "../../../parts/field.tsx";
import type { Draft } from "./draft.ts";

interface Props {
  draft: Draft;
  set: (news: Partial<Draft>) => void;
}

export function TemplateFields({ draft, set }: Props) {
  const { data: templates = [] } = api.useQuery("get", "/v1/templates", {
    params: { query: { includeEndpointBoundTemplates: true, includePublicTemplates: true } },
  });
  return (
    <div className="space-y-4">
      <Field label="Name" hint="For people.">
        {(tied) => (
          <TextInput
            {...tied}
            maxLength={191}
            placeholder="image-generator"
            value={draft.name}
            onChange={({ target }) => set({ name: target.value })}
          />
        )}
      </Field>
      <Field label="Template" hint="An image, and how it is started.">
        {(tied) => (
          <Select
            {...tied}
            value={draft.templateId}
            onChange={({ target }) => set({ templateId: target.value })}
          >
            <option value="">A new one, from an image</option>
            {templates.map(({ id, name, imageName }) => (
              <option key={id} value={id}>
                {name} ({imageName})
              </option>
            ))}
          </Select>
        )}
      </Field>
      {draft.templateId === "" && (
        <div className="grid gap-4 sm:grid-cols-2">
          <Field label="Image" hint="As in docker pull.">
            {(tied) => (
              <TextInput
                {...tied}
                required
                placeholder="ghcr.io/acme/worker:1.0"
                value={draft.imageName}
                onChange={({ target }) => set({ imageName: target.value })}
              />
            )}
          </Field>
          <Field label="Start command" hint="Empty: the image's own.">
            {(tied) => (
              <TextInput
                {...tied}
                placeholder="python -u handler.py"
                value={draft.command}
                onChange={({ target }) => set({ command: target.value })}
              />
            )}
          </Field>
        </div>
      )}
    </div>
  );
}
