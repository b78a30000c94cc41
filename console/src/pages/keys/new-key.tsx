// A new key: what it may do, said for each interface.

import { useState } from "react";
import { api, type Schema, service } from "../../api/client.ts";
import { Checkbox, Field, Select, TextInput } from "../../parts/field.tsx";
import { FormDialog } from "../../parts/form-dialog.tsx";

type Permissions = Schema["Permissions"];
type Access = Permissions["rest"];

const accesses: Record<Access, string> = {
  write: "Read and write",
  read: "Read only",
  none: "Nothing",
};

const interfaces = {
  rest: "Management by REST",
  graphql: "Management by GraphQL",
  queue: "Queues of endpoints",
} as const;

interface Props {
  onClose: () => void;
  onMade: (secret: string) => void;
}

export function NewKey({ onClose, onMade }: Props) {
  const [name, setName] = useState("");
  const [permissions, setPermissions] = useState<Permissions>({
    rest: "write",
    graphql: "write",
    queue: "write",
    endpoints: null,
  });
  const { endpoints } = permissions;
  const create = async () => {
    const { data, error } = await service.POST("/v1/keys", { body: { name, permissions } });
    if (error) throw error;
    onMade(data.key);
  };
  const toggle = (id: string, on: boolean) => {
    const now = endpoints ?? [];
    setPermissions({
      ...permissions,
      endpoints: on ? [...now, id] : now.filter((each) => each !== id),
    });
  };
  return (
    <FormDialog open onClose={onClose} title="New API key" action="Make key" onSubmit={create}>
      <Field label="Name" hint="Who or what will use it.">
        {(tied) => (
          <TextInput
            {...tied}
            required
            maxLength={191}
            placeholder="nightly batch"
            value={name}
            onChange={({ target }) => setName(target.value)}
          />
        )}
      </Field>
      {Object.entries(interfaces).map(([each, label]) => (
        <Field key={each} label={label}>
          {(tied) => (
            <Select
              {...tied}
              value={permissions[each as keyof typeof interfaces]}
              onChange={({ target }) => setPermissions({ ...permissions, [each]: target.value })}
            >
              {Object.entries(accesses).map(([access, word]) => (
                <option key={access} value={access}>
                  {word}
                </option>
              ))}
            </Select>
          )}
        </Field>
      ))}
      <Checkbox
        checked={endpoints !== null}
        onChange={(some) => setPermissions({ ...permissions, endpoints: some ? [] : null })}
        label="Only some endpoints' queues"
      />
      {endpoints !== null && <Chosen endpoints={endpoints} onToggle={toggle} />}
    </FormDialog>
  );
}

interface ChosenProps {
  endpoints: string[];
  onToggle: (id: string, on: boolean) => void;
}

function Chosen({ endpoints, onToggle }: ChosenProps) {
  const { data: all = [] } = api.useQuery("get", "/v1/endpoints");
  return (
    <div className="relative max-h-40 space-y-2 overflow-y-auto pl-7">
      {all.map(({ id, name }) => (
        <Checkbox
          key={id}
          checked={endpoints.includes(id)}
          onChange={(on) => onToggle(id, on)}
          label={name || id}
        />
      ))}
    </div>
  );
}
