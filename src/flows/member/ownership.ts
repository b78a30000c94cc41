// The owner of what an id names, and the check that it is the caller. It limits members whose role sees only their own.

import type { Clock } from "../../base/clock.ts";
import type { ApiKey } from "../../domain/account.ts";
import { Fault } from "../../domain/fault.ts";
import { seesOwnOnly } from "../../domain/member/roles.ts";
import { findBatch } from "../../store/batch/batch.ts";
import { findCluster } from "../../store/cluster/cluster.ts";
import { findEndpointOrDeleted, listEndpointsUsing } from "../../store/endpoint/endpoint.ts";
import type { Tx } from "../../store/engine/statement.ts";
import type { Store } from "../../store/engine/store.ts";
import { findKeptJob } from "../../store/job/find.ts";
import { findJobOperation } from "../../store/job-operation/job-operation.ts";
import { findMemberName } from "../../store/member/member.ts";
import { endpointIdsOf } from "../../store/member/owned.ts";
import { findVolume } from "../../store/network-volume/network-volume.ts";
import { membersOf } from "../../store/pod/members.ts";
import { findPod } from "../../store/pod/row.ts";
import { findQueuedPod } from "../../store/queued-pod/queued-pod.ts";
import { findRegistryAuth } from "../../store/registry-auth/registry-auth.ts";
import { findReservation } from "../../store/reservation/reservation.ts";
import { findS3Key } from "../../store/s3-key/s3-key.ts";
import { findSchedule } from "../../store/schedule/schedule.ts";
import { findSecret } from "../../store/secret/secret.ts";
import { findSshKey } from "../../store/ssh-key/ssh-key.ts";
import { findTemplate } from "../../store/template/template.ts";
import { findWorker } from "../../store/worker/worker.ts";

/** The account and the member that something belongs to; null for the account alone. */
interface Possession {
  accountId: string;
  ownerId: string | null;
}

/** Undefined for an id that names nothing. */
type FindOwner = (id: string, at: Caller) => Tx<Possession | undefined>;

interface Caller {
  accountId: string;
  memberId: string;
  now: number;
}

interface Row {
  accountId: string;
  owner?: { id: string } | undefined;
  member?: { id: string } | null;
}

const possessionOf = ({ accountId, owner, member }: Row): Possession => ({
  accountId,
  ownerId: owner?.id ?? member?.id ?? null,
});

const rowOwner = (find: (id: string) => Tx<Row | undefined>): FindOwner =>
  function* (id) {
    const found = yield* find(id);
    return found && possessionOf(found);
  };

const endpointOwner = rowOwner(findEndpointOrDeleted);

const workerOwner: FindOwner = function* (id, at) {
  const worker = yield* findWorker(id);
  return worker && (yield* endpointOwner(worker.endpointId, at));
};

/** The routes of Pods take workers too, and requests for Pods that wait in line. */
const podOwner: FindOwner = function* (id, at) {
  return (
    (yield* findPod(id)) ?? (yield* workerOwner(id, at)) ?? (yield* rowOwner(findQueuedPod)(id, at))
  );
};

const jobOwner: FindOwner = function* (id, at) {
  const job = yield* findKeptJob(id, at.now);
  return job && (yield* endpointOwner(job.endpointId, at));
};

const scheduleOwner = rowOwner(findSchedule);
const templateOwner = rowOwner(findTemplate);

/** The owner of the first endpoint of another member that runs the template: a change of the template would change it too. */
const userOfTemplate: FindOwner = function* (id, { memberId, accountId }) {
  const users = yield* listEndpointsUsing(id);
  const other = users.find(({ owner }) => owner?.id !== memberId);
  return other ? possessionOf(other) : { accountId, ownerId: memberId };
};

const finders = {
  pod: podOwner,
  /** What runs is the Pod of the same id. */
  sandbox: podOwner,
  worker: workerOwner,
  endpoint: endpointOwner,
  job: jobOwner,
  schedule: scheduleOwner,
  reservation: rowOwner(findReservation),
  template: templateOwner,
  userOfTemplate,
  networkVolume: rowOwner(findVolume),
  secret: rowOwner(findSecret),
  registryAuth: rowOwner(findRegistryAuth),
  sshKey: rowOwner(findSshKey),
  s3Key: function* (id, { accountId }) {
    const found = yield* findS3Key(id, accountId);
    return found && possessionOf(found);
  },
  cluster: function* (id) {
    const cluster = yield* findCluster(id);
    if (!cluster) return undefined;
    const [first] = yield* membersOf(id);
    return { accountId: cluster.accountId, ownerId: first?.ownerId ?? null };
  },
  batch: function* (id, at) {
    const batch = yield* findBatch(id);
    return batch && (yield* endpointOwner(batch.endpointId, at));
  },
  jobOperation: function* (id, at) {
    const operation = yield* findJobOperation(id);
    if (!operation) return undefined;
    const { accountId, filter } = operation;
    if (filter.endpointId === null) return { accountId, ownerId: null };
    return yield* endpointOwner(filter.endpointId, at);
  },
  /** The template that an endpoint runs, which some operations change with it. */
  templateOfEndpoint: function* (id, at) {
    const endpoint = yield* findEndpointOrDeleted(id);
    return endpoint && (yield* templateOwner(endpoint.templateId, at));
  },
  userOfTemplateOfEndpoint: function* (id, at) {
    const endpoint = yield* findEndpointOrDeleted(id);
    return endpoint && (yield* userOfTemplate(endpoint.templateId, at));
  },
  /** What `why` explains, in its order. */
  subject: function* (id, at) {
    return (
      (yield* jobOwner(id, at)) ??
      (yield* podOwner(id, at)) ??
      (yield* scheduleOwner(id, at)) ??
      (yield* endpointOwner(id, at))
    );
  },
  /** Flash apps have no owners, so they belong to the account alone. */
  // biome-ignore lint/correctness/useYield: it reads nothing
  flash: function* (_, { accountId }) {
    return { accountId, ownerId: null };
  },
} satisfies Record<string, FindOwner>;

export type OwnedKind = keyof typeof finders;

/** A kind and an id that a request names. */
export interface Reference {
  kind: OwnedKind;
  id: string;
  /** Whether the operation acts on it, so that it must exist. */
  isAddressed?: true;
}

/** The most that one request may name. */
const MAX_REFERENCES = 500;

/** The key's member, if its role sees only what belongs to it. */
export function limitedMember({ member }: Pick<ApiKey, "member">): { id: string } | null {
  return member && seesOwnOnly(member.role) ? member : null;
}

export const notOwner = (detail: string) => new Fault("not_owner", { detail });

export class Ownership {
  readonly #store: Store;
  readonly #clock: Clock;

  constructor({ store, clock }: { store: Store; clock: Clock }) {
    this.#store = store;
    this.#clock = clock;
  }

  /** Throws where something that is named belongs to another member of the account, or to the account alone. */
  async requireOwn(by: ApiKey, references: readonly Reference[]): Promise<void> {
    const member = limitedMember(by);
    if (!member || references.length === 0) return;
    if (references.length > MAX_REFERENCES) {
      throw notOwner(`a request may name ${MAX_REFERENCES} things, and this one names more`);
    }
    const at = { accountId: by.accountId, now: this.#clock.now() };
    const refusal = await this.#store.read(firstRefusal, references, {
      ...at,
      memberId: member.id,
    });
    if (refusal) throw refusal;
  }

  /** Throws for a limited member unless the id is that of an endpoint of its own. */
  async requireOwnEndpoint(by: ApiKey, id: unknown, field: string): Promise<void> {
    const ids = await this.endpointIds(by);
    if (ids === null || (typeof id === "string" && ids.has(id))) return;
    throw notOwner(`give an endpoint of yours as "${field}"`);
  }

  /** The endpoints whose jobs the key may list; null for all of the account. */
  async endpointIds(by: ApiKey): Promise<ReadonlySet<string> | null> {
    const member = limitedMember(by);
    if (!member) return null;
    return new Set(await this.#store.read(endpointIdsOf, by.accountId, member.id));
  }
}

function* firstRefusal(references: readonly Reference[], at: Caller): Tx<Fault | null> {
  for (const { kind, id, isAddressed } of references) {
    const possession = yield* finders[kind](id, at);
    // Official templates have no row.
    if (!possession && isAddressed && kind !== "template") {
      return new Fault("resource_not_found", { id: id.slice(0, 80) });
    }
    // What another account has is refused, or is public, by the operation itself.
    if (!possession || possession.accountId !== at.accountId) continue;
    const { ownerId } = possession;
    if (ownerId === at.memberId) continue;
    const owner = ownerId === null ? undefined : yield* findMemberName(ownerId);
    return notOwner(`${nouns[kind]}${id.slice(0, 80)} belongs to ${owner?.name ?? "the account"}`);
  }
  return null;
}

/** Before an id. What `why` takes has no noun. */
const nouns: Record<OwnedKind, string> = {
  pod: "Pod ",
  sandbox: "sandbox ",
  worker: "worker ",
  endpoint: "endpoint ",
  job: "the endpoint of job ",
  schedule: "schedule ",
  reservation: "reservation ",
  template: "template ",
  networkVolume: "network volume ",
  secret: "secret ",
  registryAuth: "registry credential ",
  sshKey: "SSH key ",
  s3Key: "S3 key ",
  cluster: "cluster ",
  batch: "the endpoint of batch ",
  jobOperation: "the endpoint of operation ",
  userOfTemplate: "an endpoint that uses template ",
  templateOfEndpoint: "the template of endpoint ",
  userOfTemplateOfEndpoint: "an endpoint that uses the template of endpoint ",
  subject: "",
  flash: "Flash app ",
};
