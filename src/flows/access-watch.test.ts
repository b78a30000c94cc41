import assert from "node:assert/strict";
import { test } from "node:test";
import { VirtualClock } from "../base/clock.ts";
import { type LastingAccess, watchAccess } from "./access-watch.ts";

/** An access whose checks answer as a test says, at once or later. */
function accessOf(answers: (boolean | Error)[], isLater: boolean) {
  const listeners = new Set<() => void>();
  const access: LastingAccess = {
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    lasts() {
      const answer = answers.shift() ?? true;
      if (isLater)
        return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer);
      if (answer instanceof Error) throw answer;
      return answer;
    },
  };
  const change = () => {
    for (const listener of [...listeners]) listener();
  };
  return { access, change, listeners };
}

for (const isLater of [false, true]) {
  const when = isLater ? "later" : "at once";
  test(`access that was lost before the watch began is noticed ${when}, and once`, async () => {
    const clock = new VirtualClock();
    const { access, change, listeners } = accessOf([false, false], isLater);
    let losses = 0;
    watchAccess(clock, access, () => losses++);
    change();
    await clock.advance(10_000);
    assert.deepEqual([losses, listeners.size], [1, 0]);
  });

  test(`a check that fails ${when} is tried again until it is answered`, async () => {
    const clock = new VirtualClock();
    const away = new Error("away");
    const { access, change } = accessOf([true, away, away, away, false], isLater);
    let losses = 0;
    watchAccess(clock, access, () => losses++);
    change();
    await clock.advance(1_500);
    assert.equal(losses, 0);
    await clock.advance(2_000);
    assert.equal(losses, 1);
  });

  test(`nothing is checked after the end of a watch whose check failed ${when}`, async () => {
    const clock = new VirtualClock();
    const answers = [new Error("away"), false];
    const { access, change, listeners } = accessOf(answers, isLater);
    const end = watchAccess(clock, access, assert.fail);
    await clock.advance(0);
    end();
    change();
    await clock.advance(10_000);
    assert.deepEqual([answers.length, listeners.size], [1, 0]);
  });
}
