// What runs in the Pod: a template or an image, and how it is started.

import type { Schema } from "../../../api/client.ts";
import { SelectField, TextAreaField, TextField } from "../../../parts/text-field.tsx";
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
  const named = (all: { id: string; name: string }[]) =>
    all.map(({ id, name }): [string, string] => [id, name]);
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <TextField
        label="Name"
        hint="For people; what it is called in lists."
        placeholder="my pod"
        maxLength={191}
        value={wish.name}
        onChange={(name) => change({ name })}
      />
      <SelectField
        label="Template"
        hint="Says what is not filled in here."
        value={wish.templateId}
        onChange={(templateId) => change({ templateId })}
        options={[["", "None: an image"], ...named(suited)]}
      />
      <TextField
        label="Image"
        className="sm:col-span-2"
        required={!template}
        placeholder={template?.imageName ?? "ubuntu:24.04"}
        value={wish.image}
        onChange={(image) => change({ image })}
      />
      <HowItStarts wish={wish} change={change} template={template} />
      {auths.length > 0 && (
        <SelectField
          label="Registry"
          hint="For a private image."
          value={wish.registryAuthId}
          onChange={(registryAuthId) => change({ registryAuthId })}
          options={[["", "None"], ...named(auths)]}
        />
      )}
    </div>
  );
}

interface StartProps extends Pick<Props, "wish" | "change"> {
  template: Schema["Template"] | undefined;
}

function HowItStarts({ wish, change, template }: StartProps) {
  return (
    <>
      <TextField
        label="Start command"
        hint="In the place of the image's own."
        mono
        placeholder={template?.dockerStartCmd.join(" ") || "the image's"}
        value={wish.command}
        onChange={(command) => change({ command })}
      />
      <TextField
        label="Ports"
        hint="8888/http is a page, 22/tcp a public port."
        mono
        placeholder={template?.ports.join(", ") ?? "8888/http, 22/tcp"}
        value={wish.ports}
        onChange={(ports) => change({ ports })}
      />
      <TextAreaField
        label="Environment"
        hint="One NAME=value a line; {{ RUNPOD_SECRET_name }} is a secret's value."
        className="sm:col-span-2"
        mono
        value={wish.env}
        onChange={(env) => change({ env })}
      />
    </>
  );
}
