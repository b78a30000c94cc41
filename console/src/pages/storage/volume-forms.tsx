// A new network volume, and what can be changed of one.

import { useState } from "react";
import { api, service } from "../../api/client.ts";
import { useQuote } from "../../api/quote.ts";
import { Field, Select, TextInput } from "../../parts/field.tsx";
import { FormDialog } from "../../parts/form-dialog.tsx";
import { QuoteNote } from "../../parts/quote-note.tsx";
import { say } from "../../parts/toast.tsx";
import { dollars } from "../../parts/units.ts";
import type { Volume } from "./volumes.tsx";

export function NewVolume({ open, onClose }: { open: boolean; onClose: () => void }) {
  const { data: centers = [] } = api.useQuery("get", "/v1/catalog/data-centers");
  const [name, setName] = useState("");
  const [size, setSize] = useState(50);
  const [center, setCenter] = useState("");
  const dataCenterId = center || centers[0]?.id || "";
  const create = async () => {
    const body = { name, size, dataCenterId };
    const { error } = await service.POST("/v1/networkvolumes", { body });
    if (error) throw error;
    setName("");
    say(`Volume ${name} is there`);
  };
  return (
    <FormDialog
      open={open}
      onClose={onClose}
      title="New network volume"
      lead="It takes its place on the machine of the first Pod or worker that mounts it."
      action="Create volume"
      onSubmit={create}
    >
      <Named name={name} onChange={setName} />
      <Sized size={size} least={1} dataCenterId={dataCenterId} onChange={setSize} />
      <Field label="Data center" hint="For good: Pods and workers that mount it run there.">
        {(tied) => (
          <Select {...tied} value={dataCenterId} onChange={({ target }) => setCenter(target.value)}>
            {centers.map(({ id, location }) => (
              <option key={id} value={id}>
                {id}, {location}
              </option>
            ))}
          </Select>
        )}
      </Field>
    </FormDialog>
  );
}

export function ChangeVolume({ volume, onClose }: { volume: Volume; onClose: () => void }) {
  const [name, setName] = useState(volume.name);
  const [size, setSize] = useState(volume.size);
  const save = async () => {
    const { error } = await service.PATCH("/v1/networkvolumes/{networkVolumeId}", {
      params: { path: { networkVolumeId: volume.id } },
      body: { name, ...(size !== volume.size && { size }) },
    });
    if (error) throw error;
    say(`Volume ${name} is changed`);
  };
  return (
    <FormDialog
      open
      onClose={onClose}
      title={`Change ${volume.name}`}
      action="Save"
      onSubmit={save}
    >
      <Named name={name} onChange={setName} />
      <Sized
        size={size}
        least={volume.size}
        dataCenterId={volume.dataCenterId}
        before={volume.size}
        onChange={setSize}
      />
    </FormDialog>
  );
}

function Named({ name, onChange }: { name: string; onChange: (name: string) => void }) {
  return (
    <Field label="Name">
      {(tied) => (
        <TextInput
          {...tied}
          required
          maxLength={191}
          placeholder="models"
          value={name}
          onChange={({ target }) => onChange(target.value)}
        />
      )}
    </Field>
  );
}

interface SizedProps {
  size: number;
  least: number;
  dataCenterId: string;
  /** What it has now, where it is there already. */
  before?: number;
  onChange: (size: number) => void;
}

function Sized({ size, least, dataCenterId, before, onChange }: SizedProps) {
  const asked = (gb: number) =>
    gb > 0 && dataCenterId ? { networkVolume: { name: "any", size: gb, dataCenterId } } : null;
  const { data: quote, error } = useQuote(asked(size));
  const { data: now } = useQuote(asked(before ?? 0));
  const was = now && before !== size ? `, instead of ${dollars(now.totalPerMonth)}` : "";
  const price = quote ? ` ${dollars(quote.totalPerMonth)} a month${was}.` : "";
  return (
    <div>
      <Field
        label="Size in GB"
        hint={<span data-testid="price">It can grow later, and never shrink.{price}</span>}
      >
        {(tied) => (
          <TextInput
            {...tied}
            type="number"
            required
            min={least}
            max={4_000}
            value={Number.isNaN(size) ? "" : size}
            onChange={({ target }) => onChange(target.valueAsNumber)}
          />
        )}
      </Field>
      <QuoteNote quote={quote} error={error} />
    </div>
  );
}
