// A usage as it is kept.

import type { Interval } from "../../domain/money/owed.ts";

export type UsageKind = "pod" | "worker" | "volume";

export interface UsageRow {
  id: number;
  account_id: string;
  kind: UsageKind;
  resource_id: string;
  endpoint_id: string;
  gpu_type_id: string;
  data_center_id: string;
  image_name: string;
  template_id: string;
  key_id: string;
  running: number;
  disk_gb: number;
  rate: number;
  carry: number;
  continues: number;
  began_at: number;
  ended_at: number | null;
  metered_to: number;
}

export const intervalOf = (usage: Pick<UsageRow, "rate" | "began_at" | "carry">): Interval => {
  return { rate: usage.rate, beganAt: usage.began_at, carry: usage.carry };
};

/** What histories and budgets ask for beside the account. */
export const facts = "endpoint_id, gpu_type_id, data_center_id, image_name, template_id, key_id";
