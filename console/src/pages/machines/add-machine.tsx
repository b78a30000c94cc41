// A machine at an address of its own, which the service reaches by itself from then on.

import { useState } from "react";
import { service } from "../../api/client.ts";
import { FormDialog } from "../../parts/form-dialog.tsx";
import { TextAreaField, TextField } from "../../parts/text-field.tsx";
import { say } from "../../parts/toast.tsx";

export function AddMachine({ onClose }: { onClose: () => void }) {
  const [address, setAddress] = useState("");
  const [name, setName] = useState("");
  const [identity, setIdentity] = useState("");
  const [publicIp, setPublicIp] = useState("");
  const add = async () => {
    const { error } = await service.POST("/v1/machines", {
      body: {
        address: address.trim(),
        ...(name && { name }),
        ...(identity && { identity: identity.endsWith("\n") ? identity : `${identity}\n` }),
        ...(publicIp && { publicIp }),
      },
    });
    if (error) throw error;
    say("The machine is added, and reached in a moment");
  };
  return (
    <FormDialog
      open
      onClose={onClose}
      title="Add a machine"
      lead="It needs a container engine and an SSH server; nothing of Freehold is installed there. Once it is reached, Pods and workers are placed on it as on any other."
      action="Add machine"
      wide
      onSubmit={add}
    >
      <TextField
        label="Address"
        hint="ssh://user@host, or ssh://user@host:port/path/of/the/engine's/socket."
        placeholder="ssh://me@gpu1"
        required
        mono
        value={address}
        onChange={setAddress}
      />
      <TextField
        label="Name"
        hint="For people; may be empty."
        maxLength={191}
        value={name}
        onChange={setName}
      />
      <TextAreaField
        label="Private key"
        hint="Kept sealed, and never shown again. Empty: the keys and the agent of the user that the service runs as."
        placeholder="-----BEGIN OPENSSH PRIVATE KEY-----"
        mono
        value={identity}
        onChange={setIdentity}
      />
      <TextField
        label="Public IP"
        hint="Where its Pods' public ports are reached. Empty: on the machine itself only."
        placeholder="203.0.113.9"
        mono
        value={publicIp}
        onChange={setPublicIp}
      />
    </FormDialog>
  );
}
