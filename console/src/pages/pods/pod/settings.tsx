// What of a Pod can be changed. All but its name and lock takes a new container.

import { type FormEvent, useState } from "react";
import { type Schema, service } from "../../../api/client.ts";
import { useQuote } from "../../../api/quote.ts";
import { useMayWrite } from "../../../api/self.ts";
import { Button } from "../../../parts/button.tsx";
import { Card } from "../../../parts/card.tsx";
import { FaultNote } from "../../../parts/fault.tsx";
import { Checkbox, Field, TextArea, TextInput } from "../../../parts/field.tsx";
import { QuoteNote } from "../../../parts/quote-note.tsx";
import { say } from "../../../parts/toast.tsx";
import { perHour } from "../../../parts/units.ts";
import { variablesIn } from "../deploy/wish.ts";

type Pod = Schema["Pod"];

interface Draft {
  name: string;
  locked: boolean;
  image: string;
  command: string;
  ports: string;
  env: string;
  containerDisk: string;
  volume: string;
}

const draftOf = (pod: Pod): Draft => ({
  name: pod.name,
  locked: pod.locked,
  image: pod.image,
  command: (pod.dockerStartCmd ?? []).join("\n"),
  ports: pod.ports.join(", "),
  env: Object.entries(pod.env)
    .map(([name, value]) => `${name}=${value}`)
    .join("\n"),
  containerDisk: String(pod.containerDiskInGb),
  volume: String(pod.volumeInGb),
});

/** Only what was changed. */
function changesOf(pod: Pod, draft: Draft): Schema["PodUpdate"] {
  const before = draftOf(pod);
  const changed = (name: keyof Draft) => draft[name] !== before[name];
  return {
    ...(changed("name") && { name: draft.name }),
    ...(changed("locked") && { locked: draft.locked }),
    ...(changed("image") && { imageName: draft.image }),
    ...(changed("command") && { dockerStartCmd: draft.command.split("\n").filter(Boolean) }),
    ...(changed("ports") && { ports: draft.ports.split(/[\s,]+/).filter(Boolean) }),
    ...(changed("env") && { env: variablesIn(draft.env) }),
    ...(changed("containerDisk") && { containerDiskInGb: Number(draft.containerDisk) }),
    ...(changed("volume") && { volumeInGb: Number(draft.volume) }),
  };
}

export function PodSettings({ pod }: { pod: Pod }) {
  const [draft, setDraft] = useState(() => draftOf(pod));
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const mayWrite = useMayWrite();
  const changes = changesOf(pod, draft);
  const inPlace = Object.keys(changes).every((name) => name === "name" || name === "locked");
  const none = Object.keys(changes).length === 0;
  const save = async (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    setError(null);
    const params = { path: { podId: pod.id } };
    const { error: refused } = await service.PATCH("/v1/pods/{podId}", { params, body: changes });
    setBusy(false);
    if (refused) setError(refused);
    else say(`${draft.name} is changed`);
  };
  return (
    <form onSubmit={save} className="max-w-3xl">
      <fieldset disabled={!mayWrite}>
        <Card>
          <Fields draft={draft} change={(part) => setDraft({ ...draft, ...part })} pod={pod} />
        </Card>
        {error !== null && (
          <div className="mt-4">
            <FaultNote error={error} />
          </div>
        )}
        <div className="mt-4 flex flex-wrap items-center gap-3">
          <Button type="submit" look="primary" busy={busy} disabled={none}>
            Save
          </Button>
          {!none && inPlace && <p className="text-sm text-muted">Changed in place.</p>}
          {!none && !inPlace && <Outcome pod={pod} changes={changes} />}
        </div>
      </fieldset>
    </form>
  );
}

/** What a new container means, and what it costs from then on. */
function Outcome({ pod, changes }: { pod: Pod; changes: Schema["PodUpdate"] }) {
  const podId = pod.id;
  const { data: before } = useQuote({ existingPod: { podId } });
  const { data: after, error } = useQuote({ existingPod: { podId, changes } });
  return (
    <div className="text-sm text-muted">
      <p>It gets a new container: what is on its container disk is lost, its volume is kept.</p>
      {before && after && (
        <p data-testid="price">
          {after.totalPerHr === before.totalPerHr
            ? `It costs ${perHour(after.totalPerHr)} while it runs, as before.`
            : `It costs ${perHour(after.totalPerHr)} while it runs, instead of ${perHour(before.totalPerHr)}.`}
        </p>
      )}
      <QuoteNote quote={after} error={error} />
    </div>
  );
}

interface FieldsProps {
  draft: Draft;
  change: (part: Partial<Draft>) => void;
  pod: Pod;
}

function Fields({ draft, change, pod }: FieldsProps) {
  const bound = (name: Exclude<keyof Draft, "locked">) => ({
    value: draft[name],
    onChange: ({ target }: { target: { value: string } }) => change({ [name]: target.value }),
  });
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <Field label="Name">{(tied) => <TextInput {...tied} {...bound("name")} required />}</Field>
      <Field label="Image">{(tied) => <TextInput {...tied} {...bound("image")} required />}</Field>
      <Field label="Ports">
        {(tied) => <TextInput {...tied} {...bound("ports")} className="font-mono" />}
      </Field>
      <Field label="Container disk, GB">
        {(tied) => <TextInput {...tied} {...bound("containerDisk")} type="number" min={0} />}
      </Field>
      {!pod.networkVolumeId && (
        <Field label="Volume, GB" hint="It only grows.">
          {(tied) => (
            <TextInput {...tied} {...bound("volume")} type="number" min={pod.volumeInGb} />
          )}
        </Field>
      )}
      <Field label="Start command" hint="An argument a line; empty for the image's own.">
        {(tied) => <TextArea {...tied} {...bound("command")} className="font-mono" />}
      </Field>
      <Field label="Environment" hint="One NAME=value a line." className="sm:col-span-2">
        {(tied) => <TextArea {...tied} {...bound("env")} className="min-h-32 font-mono" />}
      </Field>
      <Checkbox
        label="Locked"
        hint="Refuses stop, restart and reset."
        checked={draft.locked}
        onChange={(locked) => change({ locked })}
      />
    </div>
  );
}
