// A new secret, or another value of one.

import { useState } from "react";
import { service } from "../../api/client.ts";
import { Field, TextArea, TextInput } from "../../parts/field.tsx";
import { FormDialog } from "../../parts/form-dialog.tsx";
import { say } from "../../parts/toast.tsx";
import type { Secret } from "./secrets.tsx";

interface Props {
  /** Null for a new one. */
  secret: Secret | null;
  onClose: () => void;
}

export function SecretForm({ secret, onClose }: Props) {
  const [name, setName] = useState(secret?.name ?? "");
  const [value, setValue] = useState("");
  const [description, setDescription] = useState(secret?.description ?? "");
  const save = async () => {
    const { error } = secret
      ? await service.PATCH("/v1/secrets/{secretId}", {
          params: { path: { secretId: secret.id } },
          body: { description, ...(value && { value }) },
        })
      : await service.POST("/v1/secrets", { body: { name, value, description } });
    if (error) throw error;
    say(`Secret ${name} is kept`);
  };
  return (
    <FormDialog
      open
      onClose={onClose}
      title={secret ? `Change ${secret.name}` : "New secret"}
      lead={
        secret
          ? "Whatever refers to it has the new value from its next start on."
          : "The value is encrypted and never shown again."
      }
      action="Keep secret"
      onSubmit={save}
    >
      {!secret && (
        <Field label="Name" hint='Letters, digits and "_./-"; for good.'>
          {(tied) => (
            <TextInput
              {...tied}
              required
              maxLength={191}
              placeholder="hf_token"
              value={name}
              onChange={({ target }) => setName(target.value)}
            />
          )}
        </Field>
      )}
      <Field label="Value" {...(secret && { hint: "Empty: it stays as it is." })}>
        {(tied) => (
          <TextArea
            {...tied}
            required={!secret}
            autoComplete="off"
            value={value}
            onChange={({ target }) => setValue(target.value)}
            className="font-mono"
          />
        )}
      </Field>
      <Field label="Note" hint="For people.">
        {(tied) => (
          <TextInput
            {...tied}
            maxLength={1_000}
            value={description}
            onChange={({ target }) => setDescription(target.value)}
          />
        )}
      </Field>
    </FormDialog>
  );
}
