// The loop that asks the sign-in provider about each sign-in every few minutes: no provider tells by itself that a person
// was disabled or deleted.

import { type CheckDeps, checkSignIn } from "../../flows/sign-in/check.ts";
import { topic } from "../../store/engine/notifier.ts";
import { dueSignIns, nextSignInCheck } from "../../store/sign-in/sign-in.ts";
import type { Loop } from "../engine/loop.ts";

const MAX_CHECKS_PER_PASS = 200;
const MAX_CHECKS_AT_ONCE = 8;

export function checkSignInsLoop(deps: CheckDeps): Loop {
  const { store, clock, log } = deps;
  /** Whether the provider failed to answer at the last check. */
  let isUnavailable = false;
  const check = async (queue: Awaited<ReturnType<typeof due>>) => {
    for (let signIn = queue.shift(); signIn; signIn = queue.shift()) {
      const problem = await checkSignIn(deps, signIn);
      if (problem && !isUnavailable) {
        log.warn(
          { problem: problem.code },
          `sign-ins cannot be checked and stay valid: ${problem.message}`,
        );
      }
      isUnavailable = problem !== null;
    }
  };
  const due = () => store.read(dueSignIns, clock.now(), MAX_CHECKS_PER_PASS);
  return {
    name: "check-sign-ins",
    shared: true,
    periodMs: 10_000,
    restMs: 500,
    topics: [topic.signIns],
    async run() {
      const queue = await due();
      const lanes = Array.from({ length: MAX_CHECKS_AT_ONCE }, () => check(queue));
      await Promise.all(lanes);
      return store.read(nextSignInCheck);
    },
  };
}
