// Faults at the edges of sessions, clocks and credits that the product once had, planted again. Each names the test that
// finds it in any run; a history of the simulator may miss it.

import type { Mutation } from "./catalog.ts";

export const faults: Record<string, Mutation> = {
  "credits do not see what is starting": {
    file: "src/transactions/money/spend.ts",
    before: "const starting = yield* unmeteredRate(accountId, now);",
    after: "const starting = 0;",
    suite: { file: "test/billing/balance.test.ts", test: "credits count what is still starting" },
  },
  "a loop rests by the wall clock": {
    file: "src/loops/engine/loop.ts",
    before:
      "const startedTicks = clock.ticks();\n    const sinceStart = () => clock.ticks() - startedTicks;",
    after:
      "const startedTicks = clock.now();\n    const sinceStart = () => clock.now() - startedTicks;",
    suite: { file: "src/loops/engine/loop.test.ts", test: "" },
  },
  "an engine's times are taken as they are": {
    file: "src/domain/machine/reported-time.ts",
    before: "const at = Math.min(latest, Math.max(earliest, claim));",
    after: "const at = claim + 0 * (earliest + latest);",
    suite: { file: "test/billing/pods.test.ts", test: "an engine whose clock is off" },
  },
  "a replica does not follow a clock that is set back": {
    file: "src/base/disciplined-clock.ts",
    before: "if (time > this.#last || time < this.#last - MAX_HELD_STEP_MS) this.#last = time;",
    after: "if (time > this.#last) this.#last = time;",
    suite: { file: "src/base/disciplined-clock.test.ts", test: "" },
  },
  "two replicas spend the same credits": {
    file: "src/transactions/money/spend.ts",
    before: "  yield* holdAccount(payer.accountId);\n",
    after: "",
    suite: { file: "test/replicas/credits.test.ts", test: "never spend the same credits" },
  },
  "a session stays on a standby": {
    file: "src/store/engine/postgres/wire/session.ts",
    before: "    if (row!.isStandby) throw standby();\n",
    after: "    if (row!.pid < 0) throw standby();\n",
    suite: { file: "test/postgres/failover.test.ts", test: "a standby that the address leads to" },
  },
  "an unknown notification ends the process": {
    file: "src/store/engine/postgres/wire/session.ts",
    before: `guarded("a notification of PostgreSQL", ({ payload, processId }: pg.Notification) =>
        listener(payload ?? "", processId),
      ),`,
    after: `({ payload, processId }: pg.Notification) => {
        if (payload !== "*" && payload !== "+") JSON.parse(payload ?? "");
        listener(payload ?? "", processId);
      },`,
    suite: { file: "test/postgres/notifications.test.ts", test: "a payload of another program" },
  },
  "a reconnection waits for an instant": {
    file: "src/store/engine/postgres/wire/persistent-connection.ts",
    before: "  #isBackingOff = false;\n  #cancelBackOff",
    after: `  #until = 0;
  get #isBackingOff() { return this.#clock.now() < this.#until; }
  set #isBackingOff(isSo) { if (isSo) this.#until = this.#clock.now() + this.#backOffMs; }
  #cancelBackOff`,
    suite: { file: "test/postgres/faults.test.ts", test: "a clock that is set back" },
  },
  "a transaction of a frozen replica keeps its locks": {
    file: "src/store/engine/postgres/wire/session.ts",
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is the text of the source
    before: "  set idle_in_transaction_session_timeout = ${IDLE_IN_TRANSACTION_TIMEOUT_MS};\n",
    after: "",
    suite: { file: "test/postgres/faults.test.ts", test: "a replica that stands still" },
  },
  "a copied data folder starts": {
    file: "src/installation/machine-holder.ts",
    before: "  if (store.alone) return; //",
    after: "  if (folder !== '') return; //",
    suite: { file: "test/replicas/copied-folder.test.ts", test: "a copied data folder" },
  },
  "a column of an operator ends reads": {
    file: "src/store/engine/postgres/wire/verdict.ts",
    before: `  "0A000": "reopen",\n`,
    after: "",
    suite: { file: "test/postgres/faults.test.ts", test: "a column that an operator adds" },
  },
  "a repeated piece of a long result is a conflict": {
    file: "src/store/payload/payload.ts",
    before: "     on conflict (payload_id, part) do nothing",
    after: "",
    suite: { file: "test/faults/store-unavailable.test.ts", test: "piece by piece" },
  },
  "an Idempotency-Key is ignored": {
    file: "src/flows/create-once.ts",
    before: "store.write(createOnce<Result>, once, now, create)",
    after: "store.write(createOnce<Result>, null, now, create)",
    suite: { file: "test/rest/idempotency.test.ts", test: "a repeated request" },
  },
};
