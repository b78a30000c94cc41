// The vocabulary: identifiers that a standard term has replaced. A name on this list fails with the
// term to use instead, so that the code keeps one word for one thing.

import assert from "node:assert/strict";
import { test } from "node:test";
import { identifiersOf } from "./identifiers.ts";
import { type Source, sourceOf, sources } from "./sources.ts";

/** An identifier, or a part of one between capitals, and what to write instead. */
const replacements: [banned: RegExp, instead: string][] = [
  [/^Wakes$|^wakes$/, "Notifier, notifier"],
  [/^hang$|^(?:Hung)?Bells?$|^bells?$/, "subscribe, Subscription"],
  [/^ring(?=$|[A-Z])|^rung$/, "notify, signalled"],
  [/^strike$|^struck$/, "fire, onSignal"],
  [/^news$/, "payload"],
  [/^[hH]earers?$/, "Listener"],
  [/^Turns$|^turns$|(?:^|_)A_TURN$/, "GroupCommit (a batch), KeyedMutex or passes"],
  [/^nextTurn$/, "yieldToEventLoop"],
  [/^Aftermath$|^aftermath$/, "PostCommit"],
  [/^Verb$|^verbs?$/, "Tx, transaction"],
  [/^[dD]ut(?:y|ies)$|^(?:has|take|drop|renew|on)Dut(?:y|ies)$/, "leadership, holdsLeadership"],
  [/^beat$|^[rR]hythm/, "heartbeat, HeartbeatTiming"],
  [/^attend(?:s|ed|ing|ance)?$|^Attend(?:ed|ance|ing)?$/, "manage, managed, LocalDrivers"],
  [/^[wW]ish(?:es|ed)?$|Wish(?:es)?$|^wish[A-Z]/, "request (as asked) or spec (complete)"],
  [/^[mM]istakes?$|Mistakes$/, "errors, validateX"],
  [/^[sS]ightings?$|^sights?$/, "Observation, observation"],
  [/^tell(?:s|ing|ings)?$|^Tell(?:ing)?$|^tell[A-Z]/, "log, report or notify"],
  [/^told$|^Told$|Told$|^told[A-Z]/, "the noun of what it holds"],
  [/^letIn$|^mustBe[A-Z]/, "authorize, requireX"],
  [/^[vV]isitor$/, "sessionPrincipal"],
  [/^Doors?$|^doors?$|Door$/, "PodConnection, ContainerGateway, AuthDeps"],
  [/^House$|^house$|House$/, "Service, service"],
  [/^Grounds?$|^grounds?$/, "HostNetwork"],
  [/^Site$|^site$/, "RemoteHost, ProxyTarget"],
  [/^[lL]aws?$|Laws?$/, "conformance, rule"],
  [/^Stage$|^stage$/, "Fixture"],
  [/^[bB]rake$|^braked$|^crashBrake$/, "crash-loop back-off"],
  [/^unclaim/, "releaseClaim"],
  [/^giveBack$/, "requeue"],
  [/^Directory$/, "AuthCache"],
  [/^[nN]eighbours?$/, "PeerClient, peers"],
  [/^letter$|^letterFor$/, "webhookRequest"],
  [
    /^lasted$|^freed$|^everOf$|^tallyOf$|^tally$/,
    "recordDuration, recordWorkerFreed, jobCounts, count",
  ],
  [
    /^isStoreAway$|^storeAway$|^patiently$|^[pP]atience$/,
    "isStoreUnavailable, retryWhileUnavailable, RetryDeadline",
  ],
  [/^[sS]trangers?$|Stranger$/, "otherAccount"],
  [/^[pP]layed|^pretend/, "simulated, virtual"],
  [/^(?:given|asked|kept|made|seen|rented)$/, "the noun of what it holds"],
  [/^saw$/, "observed"],
  [/^mend(?:s|ed)?(?=$|[A-Z])/, "fix"],
  [/^gone$/, "signal (an AbortSignal) or disconnected (a socket)"],
];

const all = sources("src", "console/src", "test", "bench", "sim", "examples");

test("no identifier uses a word that a standard term has replaced", () => {
  const found = all.flatMap((source) => breaches(source).map((each) => `${source.file}: ${each}`));
  assert.deepEqual(found, []);
});

/** What stands between two tags, or between a tag and an expression. */
const JSX_TEXT = />[^<>={}();`"]*(?=[<{])/g;

const planted: [code: string, breach: string | null][] = [
  ["const bell = notifier.hang(topic);", "bell: use subscribe, Subscription"],
  ["export class Turns {}", "Turns: use GroupCommit (a batch), KeyedMutex or passes"],
  ["function podMistakes() {}", "podMistakes: use errors, validateX"],
  ["const { told } = log;", "told: use the noun of what it holds"],
  ['const text = "the bell that was told";', null],
  ["// the bell that was told", null],
  ["const sql = `select duty from law where x = $1`;", null],
  ["const sql = `${" + "wish} from law`;", "wish: use request (as asked) or spec (complete)"],
  ["if (/^tell$/.test(name)) return;", null],
  ["const turned = ringing + belle + household;", null],
];

for (const [code, breach] of planted) {
  test(`${code} is ${breach ? "a breach" : "allowed"}`, () => {
    assert.equal(breaches(sourceOf("src/base/x.ts", code))[0] ?? null, breach);
  });
}

function breaches({ file, code }: Source): string[] {
  const text = file.endsWith(".tsx") ? code.replace(JSX_TEXT, "> ") : code;
  return [...identifiersOf(text)].flatMap((name) => {
    const rule = replacements.find(([banned]) => banned.test(name));
    return rule ? [`${name}: use ${rule[1]}`] : [];
  });
}
