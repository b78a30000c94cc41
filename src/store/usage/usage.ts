// The table `usage`: an interval in which a resource costs the same per hour. A resource has at
// most one open usage, its last.

import type { Attribution } from "../../domain/money/attribution.ts";
import type { SplitInterval } from "../../domain/money/owed.ts";
import type { VolumeType } from "../../domain/network-volume/network-volume.ts";
import { columnList } from "../engine/row/column-list.ts";
import { labelsFrom, labelText } from "../engine/row/columns.ts";
import { change, row, rows, type Tx } from "../engine/statement.ts";

/** The Pods of a cluster are of the kind "cluster". */
export const usageKinds = ["pod", "cluster", "sandbox", "worker", "volume"] as const;
export type UsageKind = (typeof usageKinds)[number];

/**
 * What a usage is about, and what histories and budgets group by. The owner and the labels are those that the resource
 * had at that time.
 */
export interface Metered extends Attribution {
  accountId: string;
  kind: UsageKind;
  resourceId: string;
  /** The endpoint of a worker, or the cluster of a cluster's Pod. This text and the next ones are empty where they do not apply. */
  endpointId: string;
  gpuTypeId: string;
  dataCenterId: string;
  imageName: string;
  templateId: string;
  volumeType: VolumeType | "";
  /** GPUs of the type; 0 where only disks are billed. */
  gpus: number;
  /** The API key that created the resource or its endpoint. */
  keyId: string;
  /** False where only disks are billed. */
  running: boolean;
  diskGb: number;
  /** Micro-dollars per hour. */
  rate: number;
  /** The part of `rate` that is for disks. */
  diskRate: number;
}

export interface MeteredUsage extends Metered {
  id: number;
  /** What the usage before it left over, in 1/3,600,000 micro-dollars. */
  carry: number;
  /** True where the usage before it went on, at another price or with other labels. */
  continues: boolean;
  beganAt: number;
  /** Null while it is open. */
  endedAt: number | null;
  /** It is charged up to this instant. */
  meteredTo: number;
}

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
  volume_type: VolumeType | "";
  gpus: number;
  key_id: string;
  owner_id: string | null;
  labels: string | null;
  running: number;
  disk_gb: number;
  rate: number;
  disk_rate: number;
  carry: number;
  continues: number;
  began_at: number;
  ended_at: number | null;
  metered_to: number;
}

export const USAGE_COLUMNS = columnList<UsageRow>()(
  "id",
  "account_id",
  "kind",
  "resource_id",
  "endpoint_id",
  "gpu_type_id",
  "data_center_id",
  "image_name",
  "template_id",
  "volume_type",
  "gpus",
  "key_id",
  "owner_id",
  "labels",
  "running",
  "disk_gb",
  "rate",
  "disk_rate",
  "carry",
  "continues",
  "began_at",
  "ended_at",
  "metered_to",
);

/** The columns that roll-ups group by, beside account, kind and time. */
export const DIMENSIONS =
  "endpoint_id, gpu_type_id, data_center_id, image_name, template_id, volume_type, key_id";

export const intervalOf = ({ rate, diskRate, beganAt, carry }: SplitInterval): SplitInterval => {
  return { rate, diskRate, beganAt, carry };
};

/** Opens a usage; nothing of it is charged yet. */
export function* insertUsage(
  usage: Metered & Pick<MeteredUsage, "carry" | "continues" | "beganAt">,
): Tx<void> {
  const columns = {
    account_id: usage.accountId,
    kind: usage.kind,
    resource_id: usage.resourceId,
    endpoint_id: usage.endpointId,
    gpu_type_id: usage.gpuTypeId,
    data_center_id: usage.dataCenterId,
    image_name: usage.imageName,
    template_id: usage.templateId,
    volume_type: usage.volumeType,
    gpus: usage.gpus,
    key_id: usage.keyId,
    owner_id: usage.ownerId,
    labels: labelText(usage.labels),
    running: Number(usage.running),
    disk_gb: usage.diskGb,
    rate: usage.rate,
    disk_rate: usage.diskRate,
    carry: usage.carry,
    continues: Number(usage.continues),
    began_at: usage.beganAt,
    metered_from: usage.beganAt,
    metered_to: usage.beganAt,
  };
  const names = Object.keys(columns);
  yield* change(
    `insert into usage (${names.join(", ")}) values (${names.map(() => "?").join(", ")})`,
    ...Object.values(columns),
  );
}

/**
 * A resource's last usage, open or not; locked until the transaction commits. PostgreSQL waits for the row that was the last
 * when the statement began: if another transaction has ended it and opened its successor meanwhile, only the next statement
 * sees that.
 */
export function* lockLastUsage(resourceId: string): Tx<MeteredUsage | undefined> {
  for (let endedId = 0; ; ) {
    const last = yield* row<UsageRow>(
      `select ${USAGE_COLUMNS} from usage where resource_id = ? order by id desc limit 1 /*+ for update */`,
      resourceId,
    );
    if (!last || last.ended_at === null || last.id === endedId) return last && usageFrom(last);
    endedId = last.id;
  }
}

/** The usage of the same resource before this one, which must exist. */
export function* usageBefore({
  id,
  resourceId,
}: Pick<MeteredUsage, "id" | "resourceId">): Tx<MeteredUsage> {
  const found = yield* row<UsageRow>(
    `select ${USAGE_COLUMNS} from usage where resource_id = ? and id < ? order by id desc limit 1`,
    resourceId,
    id,
  );
  return usageFrom(found!);
}

export function* setMeteredTo(id: number, to: number): Tx<void> {
  yield* change("update usage set metered_to = ? where id = ?", to, id);
}

/** All of a usage counts for another owner or other labels. The roll-ups have neither. */
export function* setAttribution(id: number, { ownerId, labels }: Attribution): Tx<void> {
  const sql = "update usage set owner_id = ?, labels = ? where id = ?";
  yield* change(sql, ownerId, labelText(labels), id);
}

/** Closes a usage, or reopens it with null. */
export function* setUsageEnd(id: number, endedAt: number | null): Tx<void> {
  yield* change("update usage set ended_at = ? where id = ?", endedAt, id);
}

export function* deleteUsage(id: number): Tx<void> {
  yield* change("delete from usage where id = ?", id);
}

/** A resource's rates and their times. */
export function* ratesOf(
  resourceId: string,
): Tx<(Pick<MeteredUsage, "rate" | "beganAt"> & { endedAt: number | null })[]> {
  return yield* rows(
    `select rate, began_at as "beganAt", ended_at as "endedAt" from usage where resource_id = ?`,
    resourceId,
  );
}

export function usageFrom(found: UsageRow): MeteredUsage {
  return {
    id: found.id,
    accountId: found.account_id,
    kind: found.kind,
    resourceId: found.resource_id,
    endpointId: found.endpoint_id,
    gpuTypeId: found.gpu_type_id,
    dataCenterId: found.data_center_id,
    imageName: found.image_name,
    templateId: found.template_id,
    volumeType: found.volume_type,
    gpus: found.gpus,
    keyId: found.key_id,
    ownerId: found.owner_id,
    labels: labelsFrom(found.labels),
    running: found.running === 1,
    diskGb: found.disk_gb,
    rate: found.rate,
    diskRate: found.disk_rate,
    carry: found.carry,
    continues: found.continues === 1,
    beganAt: found.began_at,
    endedAt: found.ended_at,
    meteredTo: found.metered_to,
  };
}
