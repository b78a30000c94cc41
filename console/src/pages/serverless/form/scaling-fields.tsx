// How many workers there are, and when.

import { Field, Select, Switch } from "../../../parts/field.tsx";
import type { Draft } from "./draft.ts";
import { NumberField } from "./number-field.tsx";

interface Props {
  draft: Draft;
  set: (news: Partial<Draft>) => void;
}

export function ScalingFields({ draft, set }: Props) {
  const byDelay = draft.scalerType === "QUEUE_DELAY";
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <NumberField
        label="Workers at least"
        hint="They are there, and cost, without jobs as well."
        min={0}
        max={draft.workersMax}
        value={draft.workersMin}
        onChange={(workersMin) => set({ workersMin })}
      />
      <NumberField
        label="Workers at most"
        hint="0 takes no more work: jobs wait."
        min={0}
        value={draft.workersMax}
        onChange={(workersMax) => set({ workersMax })}
      />
      <Field label="One more worker" hint="What adds workers.">
        {(tied) => (
          <Select
            {...tied}
            value={draft.scalerType}
            onChange={({ target }) => set({ scalerType: target.value as Draft["scalerType"] })}
          >
            <option value="QUEUE_DELAY">when jobs wait too long</option>
            <option value="REQUEST_COUNT">for every few jobs</option>
          </Select>
        )}
      </Field>
      <NumberField
        label={byDelay ? "A job may wait" : "Jobs for each worker"}
        {...(byDelay && { unit: "seconds" })}
        min={1}
        value={draft.scalerValue}
        onChange={(scalerValue) => set({ scalerValue })}
      />
      <NumberField
        label="Idle workers stay"
        hint="Longer: fewer cold starts. Shorter: cheaper."
        unit="seconds"
        min={1}
        max={3_600}
        value={draft.idleTimeout}
        onChange={(idleTimeout) => set({ idleTimeout })}
      />
      <NumberField
        label="A job may run for"
        hint="0 for as long as it needs; else 5 seconds to 7 days."
        unit="seconds"
        min={0}
        max={604_800}
        value={draft.executionTimeoutS}
        onChange={(executionTimeoutS) => set({ executionTimeoutS })}
      />
      <Switch
        checked={draft.flashboot}
        onChange={(flashboot) => set({ flashboot })}
        label="FlashBoot"
        hint="Kept for clients; a worker here starts the same either way."
      />
    </div>
  );
}
