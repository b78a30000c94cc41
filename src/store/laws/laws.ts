// What every store keeps to, whatever database stands behind it. Each dialect's test runs them all.

import { describe } from "node:test";
import { accountLaws } from "./account-laws.ts";
import { auditLaws } from "./audit-laws.ts";
import { budgetLaws } from "./budget-laws.ts";
import { claimLaws } from "./claim-laws.ts";
import { commitLaws } from "./commit-laws.ts";
import { historyLaws } from "./history-laws.ts";
import { imageLaws } from "./image-laws.ts";
import { keepLaws } from "./keep-laws.ts";
import { livesLaws } from "./lives-laws.ts";
import { logLaws } from "./log-laws.ts";
import { machineLaws } from "./machine-laws.ts";
import { memberLaws } from "./member-laws.ts";
import { modelLaws } from "./model-laws.ts";
import { moneyLaws } from "./money-laws.ts";
import { podEventLaws } from "./pod-event-laws.ts";
import { podLaws } from "./pod-laws.ts";
import { portLaws } from "./port-laws.ts";
import { replicaLaws } from "./replica-laws.ts";
import { reportLaws } from "./report-laws.ts";
import { repriceLaws } from "./reprice-laws.ts";
import { savingsPlanLaws } from "./savings-plan-laws.ts";
import { sessionLaws } from "./session-laws.ts";
import type { OpenStore } from "./stage.ts";
import { textLaws } from "./text-laws.ts";
import { vaultLaws } from "./vault-laws.ts";
import { volumeLaws } from "./volume-laws.ts";

/** `histories` is how many random ones the store is told; each opens a store of its own. */
export function storeLaws(
  name: string,
  open: OpenStore,
  { histories, lives }: { histories: number; lives: number },
): void {
  describe(name, () => {
    describe("group commit", () => commitLaws(open));
    describe("accounts and keys", () => accountLaws(open));
    describe("people", () => memberLaws(open));
    describe("audit log", () => auditLaws(open));
    describe("dispatch", () => claimLaws(open));
    describe("history", () => historyLaws(open));
    describe("results", () => reportLaws(open));
    describe("what is kept", () => keepLaws(open));
    describe("texts", () => textLaws(open));
    describe("Pods", () => podLaws(open));
    describe("events of Pods", () => podEventLaws(open));
    describe("money", () => moneyLaws(open, histories));
    describe("lives", () => livesLaws(open, lives));
    describe("budgets", () => budgetLaws(open));
    describe("prices", () => repriceLaws(open));
    describe("savings plans", () => savingsPlanLaws(open, histories));
    describe("what opens things", () => vaultLaws(open));
    describe("private images", () => imageLaws(open));
    describe("sessions", () => sessionLaws(open));
    describe("network volumes", () => volumeLaws(open));
    describe("system logs", () => logLaws(open));
    describe("public ports", () => portLaws(open));
    describe("replicas", () => replicaLaws(open));
    describe("machines", () => machineLaws(open));
    describe("against a model", () => modelLaws(open, histories));
  });
}
