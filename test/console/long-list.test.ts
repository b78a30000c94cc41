// Scrolls through ten thousand jobs on one page: down to the last, and up again while 500 more
// arrive each second. Every row must appear; the test prints how often the page was busy for long.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { Page } from "playwright-core";
import { submitJob } from "../../src/transactions/job/submit.ts";
import { startService, type TestService } from "../fixtures/service/service.ts";
import { pauseMs } from "../fixtures/time/pace.ts";
import { openConsole, skipReason } from "./browser.ts";

const JOBS = 10_000;
const ROWS_UP = 2_500;
const LIST = "/serverless/imaging/jobs";

test("a list of ten thousand jobs scrolls", {
  skip: skipReason,
  timeout: 400_000,
}, async (t) => {
  const service = await startService(t);
  await service.makeEndpoint({ id: "imaging", spec: { workersMax: 0 } });
  await submit(service, "early", JOBS);
  const newestFirst = await listJobIds(service);
  assert.equal(newestFirst.length, JOBS);
  const { page, errors: complaints } = await openConsole(t, service, { at: LIST });
  await page.getByText(newestFirst[0]!).waitFor();
  await watchLongTasks(page);
  assert.deepEqual(await scrollTo(page, newestFirst.at(-1)!, "down"), newestFirst);
  assert.equal(await page.getByRole("table").getAttribute("aria-rowcount"), `${JOBS + 1}`);
  t.diagnostic(`10,000 jobs at rest: ${await longTasks(page)}`);

  const lowest = newestFirst.slice(-ROWS_UP);
  const arriving = arrivals(service);
  try {
    assert.deepEqual(await scrollTo(page, lowest[0]!, "up"), lowest);
    t.diagnostic(`while ${arriving.n} arrive: ${await longTasks(page)}`);
    await page.getByRole("button", { name: "newer jobs" }).click();
    await page
      .getByText(/^late-/)
      .first()
      .waitFor();
  } finally {
    await arriving.end();
  }
  await page.getByText((await listJobIds(service))[0]!).waitFor();
  assert.deepEqual(complaints, []);
});

/** Submits 500 jobs each second until the end is requested. */
function arrivals(service: TestService): { n: number; end(): Promise<void> } {
  const ended = new AbortController();
  const state = { n: 0, end };
  const running = (async () => {
    for (let batch = 0; !ended.signal.aborted; batch++) {
      await submit(service, `late-${String(batch).padStart(5, "0")}`, 50);
      state.n += 50;
      await pauseMs(100);
    }
  })();
  async function end(): Promise<void> {
    ended.abort();
    await running;
  }
  return state;
}

async function submit({ service }: TestService, name: string, n: number): Promise<void> {
  const now = Date.now();
  const jobs = Array.from({ length: n }, (_, nth) => ({
    id: `${name}-${String(nth).padStart(5, "0")}`,
    endpointId: "imaging",
    sync: false,
    priority: 0,
    lowPriority: false,
    now,
    ttlMs: 86_400_000,
    executionMs: 600_000,
    keepMs: 86_400_000,
    failureKeepMs: 86_400_000,
    webhook: null,
    retry: null,
    concurrency: null,
    rateLimit: null,
    startAt: null,
    extras: null,
    trace: null,
    batch: null,
    input: { inline: "{}" },
  }));
  for (let at = 0; at < n; at += 500) {
    const some = jobs.slice(at, at + 500);
    await Promise.all(some.map((job) => service.store.write(submitJob, job)));
  }
}

/** The ids of all jobs, as the service lists them. */
async function listJobIds({ call }: TestService): Promise<string[]> {
  const ids: string[] = [];
  for (;;) {
    const before = ids.length > 0 ? `&before=${ids.at(-1)}` : "";
    const { json } = await call("GET", `/v1/jobs?endpointId=imaging&limit=1000${before}`);
    if (json.length === 0) return ids;
    ids.push(...json.map(({ id }: { id: string }) => id));
  }
}

async function watchLongTasks(page: Page): Promise<void> {
  await page.evaluate(`(() => {
    window.longTasks = [];
    const note = (list) => window.longTasks.push(...list.getEntries().map(({ duration }) => duration));
    new PerformanceObserver(note).observe({ type: "longtask" });
  })()`);
}

async function longTasks(page: Page): Promise<string> {
  const all = await page.evaluate<number[]>("window.longTasks.splice(0)");
  const longest = Math.max(0, ...all);
  return `${all.length} tasks over 50 ms, the longest of ${Math.round(longest)} ms`;
}

/** Scrolls until a job appears; returns the ids of the rows up to it, in order. */
async function scrollTo(page: Page, id: string, way: "up" | "down"): Promise<string[]> {
  const visibleIds = await page.evaluate<string[]>(`(async () => {
    const down = ${way === "down"};
    const seen = new Map();
    const until = performance.now() + 240_000;
    while (![...seen.values()].includes(${JSON.stringify(id)})) {
      if (performance.now() > until) throw new Error("only " + seen.size + " rows came by");
      const rows = [...document.querySelectorAll('[role="rowgroup"] [role="row"]')];
      for (const row of rows) {
        seen.set(Number(row.getAttribute("aria-rowindex")), row.querySelector("code").textContent);
      }
      const top = Math.min(...rows.map((row) => row.getBoundingClientRect().top));
      const beyond = down ? top + rows.length * rows[0].offsetHeight - innerHeight : -top;
      if (beyond > 0) window.scrollBy(0, Math.min(1_500, beyond) * (down ? 1 : -1));
      await new Promise(requestAnimationFrame);
    }
    return [...seen].sort(([a], [b]) => a - b).map(([, id]) => id);
  })()`);
  return way === "down" ? visibleIds : visibleIds.slice(visibleIds.indexOf(id));
}
