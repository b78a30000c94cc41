// The conformance suites of the store. The test of each database runs all of them.

import { describe } from "node:test";
import { accountConformance } from "./account/account.ts";
import { auditConformance } from "./account/audit.ts";
import { credentialsConformance } from "./account/credentials.ts";
import { labelConformance } from "./account/labels.ts";
import { memberConformance } from "./account/member.ts";
import { sessionConformance } from "./account/session.ts";
import { storageConformance } from "./account/storage.ts";
import { commitConformance } from "./commit.ts";
import type { OpenStore } from "./fixture.ts";
import { activityConformance } from "./job/activity.ts";
import { batchConformance } from "./job/batch.ts";
import { claimConformance } from "./job/claim.ts";
import { concurrencyConformance } from "./job/concurrency.ts";
import { delayConformance } from "./job/delay.ts";
import { historyConformance } from "./job/history.ts";
import { idempotencyConformance } from "./job/idempotency.ts";
import { retentionConformance } from "./job/keep.ts";
import { listConformance } from "./job/list.ts";
import { liveJobConformance } from "./job/live.ts";
import { operationConformance } from "./job/operations.ts";
import { rateLimitConformance } from "./job/rate-limit.ts";
import { reportConformance } from "./job/report.ts";
import { scheduleConformance } from "./job/schedule.ts";
import { imageConformance } from "./machine/image.ts";
import { machineLoadConformance } from "./machine/load.ts";
import { logConformance } from "./machine/log.ts";
import { machineConformance } from "./machine/machine.ts";
import { releaseModelConformance } from "./machine/release-model.ts";
import { replicaConformance } from "./machine/replica.ts";
import { volumeConformance } from "./machine/volume.ts";
import { modelConformance } from "./model-conformance.ts";
import { budgetConformance } from "./money/budget.ts";
import { gpuUseConformance } from "./money/gpu-use.ts";
import { livesConformance } from "./money/lives-conformance.ts";
import { moneyConformance } from "./money/money.ts";
import { repriceConformance } from "./money/reprice.ts";
import { savingsPlanConformance } from "./money/savings-plan.ts";
import { statementConformance } from "./money/statement.ts";
import { gpuTimeConformance } from "./pod/gpu-time.ts";
import { podLifetimeConformance } from "./pod/lifetime.ts";
import { podConformance } from "./pod/pod.ts";
import { podEventConformance } from "./pod/pod-event.ts";
import { portConformance } from "./pod/port.ts";
import { unseenEndConformance } from "./pod/unseen-end.ts";
import { textConformance } from "./text.ts";

/**
 * `histories` is the number of random histories; each has its own store. `sorted`: calls that share a batch are sorted by
 * their kind.
 */
export function storeConformance(
  name: string,
  open: OpenStore,
  { histories, lives, sorted }: { histories: number; lives: number; sorted: boolean },
): void {
  describe(name, () => {
    describe("group commit", () => commitConformance(open));
    describe("accounts and keys", () => accountConformance(open));
    describe("members", () => memberConformance(open));
    describe("audit log", () => auditConformance(open));
    describe("storage", () => storageConformance(open));
    describe("labels", () => labelConformance(open));
    describe("dispatch", () => claimConformance(open));
    describe("delays and retries", () => delayConformance(open));
    describe("concurrency keys", () => concurrencyConformance(open, histories / 5));
    describe("rate limits", () => rateLimitConformance(open));
    describe("schedules", () => scheduleConformance(open));
    describe("history", () => historyConformance(open));
    describe("activity", () => activityConformance(open));
    describe("results", () => reportConformance(open));
    describe("retention", () => retentionConformance(open));
    describe("idempotency keys", () => idempotencyConformance(open));
    describe("live jobs", () => liveJobConformance(open));
    describe("job lists", () => listConformance(open));
    describe("batches", () => batchConformance(open));
    describe("operations on jobs", () => operationConformance(open));
    describe("texts", () => textConformance(open));
    describe("Pods", () => podConformance(open));
    describe("maximum lifetimes of Pods", () => podLifetimeConformance(open));
    describe("Pod events", () => podEventConformance(open));
    describe("Unseen ends of Pods", () => unseenEndConformance(open));
    describe("money", () => moneyConformance(open, histories));
    describe("lifetimes", () => livesConformance(open, lives));
    describe("statements", () => statementConformance(open));
    describe("budgets", () => budgetConformance(open));
    describe("use of GPUs over time", () => gpuUseConformance(open));
    describe("prices", () => repriceConformance(open));
    describe("savings plans", () => savingsPlanConformance(open, histories));
    describe("credentials", () => credentialsConformance(open));
    describe("private images", () => imageConformance(open));
    describe("sessions", () => sessionConformance(open));
    describe("network volumes", () => volumeConformance(open));
    describe("system logs", () => logConformance(open));
    describe("public ports", () => portConformance(open));
    describe("replicas", () => replicaConformance(open));
    describe("machines", () => machineConformance(open));
    describe("load of machines", () => machineLoadConformance(open));
    describe("GPU times", () => gpuTimeConformance(open));
    describe("models of releases", () => releaseModelConformance(open));
    describe("against a model", () => modelConformance(open, histories, sorted));
  });
}
