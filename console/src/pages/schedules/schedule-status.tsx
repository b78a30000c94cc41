// The state of a schedule and the outcome of a run as badges.

import type { Schema } from "../../api/client.ts";
import { Status, type Tone } from "../../components/data/status.tsx";

type State = Schema["ScheduleSummary"]["status"];
type Outcome = Schema["ScheduleRun"]["outcome"];

const states: Record<State, [Tone, string]> = {
  ACTIVE: ["good", "Active"],
  PAUSED: ["warn", "Paused"],
  ENDED: ["off", "Ended"],
};

export function ScheduleStatus({ status }: { status: State }) {
  const [tone, label] = states[status];
  return <Status tone={tone}>{label}</Status>;
}

const outcomes: Record<Outcome, [Tone, string]> = {
  SUBMITTED: ["good", "Submitted"],
  SKIPPED: ["off", "Skipped"],
  FAILED: ["bad", "Failed"],
};

export function RunOutcome({ outcome }: { outcome: Outcome }) {
  const [tone, label] = outcomes[outcome];
  return <Status tone={tone}>{label}</Status>;
}
