// The table of moves is the only place that decides how a job changes its state: no statement that
// updates a job names a state. src/store/job/state-sql.ts makes their text from the table.

import assert from "node:assert/strict";
import { test } from "node:test";
import { jobStates } from "../../src/domain/job/moves.ts";
import { sourceOf, sources } from "./sources.ts";

/** A statement from `update job` to the end of its string; a template may hold other strings. */
const UPDATE = /(["'`])(?:(?!\1)[^\\]|\\.)*?\bupdate\s+job\s(?:(?!\1)[^\\]|\\.)*\1/gi;
const STATE = new RegExp(`\\b(?:${jobStates.join("|")})\\b`);

const updatesWithState = (code: string): string[] =>
  [...code.matchAll(UPDATE)].map(([statement]) => statement).filter((text) => STATE.test(text));

test("no statement that updates a job names a state", () => {
  const found = sources("src").flatMap(({ file, code, testing }) => {
    return testing ? [] : updatesWithState(code).map((text) => `${file}: ${text}`);
  });
  assert.deepEqual(found, []);
});

test("there are statements to check", () => {
  const files = sources("src").filter(({ code }) => [...code.matchAll(UPDATE)].length > 0);
  assert.ok(files.length >= 5);
});

const examples: [code: string, isFound: boolean][] = [
  ["change(\"update job set state = 'FAILED' where seq = ?\", seq)", true],
  ["change(`update job set state = ?\n where state = 'IN_QUEUE'`, state)", true],
  // biome-ignore lint/suspicious/noTemplateCurlyInString: it is the code of a template
  ["change(`update job set ${retry.set} where seq = ? and ${retry.where}`, seq)", false],
  ["rows(`select id from job where state = 'IN_PROGRESS'`)", false],
];

for (const [code, isFound] of examples) {
  test(`${code.replace(/\s+/g, " ")} is ${isFound ? "a breach" : "allowed"}`, () => {
    const source = sourceOf("src/store/job/x.ts", `${code}\n`);
    assert.equal(updatesWithState(source.code).length, isFound ? 1 : 0);
  });
}
