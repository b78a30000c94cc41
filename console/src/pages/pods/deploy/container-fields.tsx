// What runs in the Pod: a template or an image, and how it is started.

import type { Schema } from "../../../api/client.ts";
import { Field, Select, TextArea, TextInput } from "../../../parts/field.tsx";
import type { Wish } from "./wish.ts";

interface Props {
  wish: Wish;
  change: (changes: Partial<Wish>) => void;
  templates: Schema["Template"][];
  auths: Schema["ContainerRegistryAuth"][];
}

export function ContainerFields({ wish, change, templates, auths }: Props) {
  const template = templates.find(({ id }) => id === wish.templateId);
  const suited = templates.filter(({ isServerless }) => !isServerless);
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <Field label="Name" hint="For people; what it is called in lists.">
        {(tied) => (
          <TextInput
            {...tied}
            placeholder="my pod"
            maxLength={191}
            value={wish.name}
            onChange={({ target }) => change({ name: target.value })}
          />
        )}
      </Field>
      <Field label="Template" hint="Says what is not filled in here.">
        {(tied) => (
          <Select
            {...tied}
            value={wish.templateId}
            onChange={({ target }) => change({ templateId: target.value })}
          >
            <option value="">None: an image</option>
            {suited.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </Select>
        )}
      </Field>
      <Field label="Image" className="sm:col-span-2">
        {(tied) => (
          <TextInput
            {...tied}
            required={!template}
            placeholder={template?.imageName ?? "ubuntu:24.04"}
            value={wish.image}
            onChange={({ target }) => change({ image: target.value })}
          />
        )}
      </Field>
      <Field label="Start command" hint="In the place of the image's own.">
        {(tied) => (
          <TextInput
            {...tied}
            className="font-mono"
            placeholder={template?.dockerStartCmd.join(" ") || "the image's"}
            value={wish.command}
            onChange={({ target }) => change({ command: target.value })}
          />
        )}
      </Field>
      <Field label="Ports" hint="8888/http is a page, 22/tcp a public port.">
        {(tied) => (
          <TextInput
            {...tied}
            className="font-mono"
            placeholder={template?.ports.join(", ") ?? "8888/http, 22/tcp"}
            value={wish.ports}
            onChange={({ target }) => change({ ports: target.value })}
          />
        )}
      </Field>
      <Field
        label="Environment"
        hint="One NAME=value a line; {{ RUNPOD_SECRET_name }} is a secret's value."
        className="sm:col-span-2"
      >
        {(tied) => (
          <TextArea
            {...tied}
            className="font-mono"
            value={wish.env}
            onChange={({ target }) => change({ env: target.value })}
          />
        )}
      </Field>
      {auths.length > 0 && (
        <Field label="Registry" hint="For a private image.">
          {(tied) => (
            <Select
              {...tied}
              value={wish.registryAuthId}
              onChange={({ target }) => change({ registryAuthId: target.value })}
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
      )}
    </div>
  );
}
