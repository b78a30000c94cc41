// The console's page of jobs: node bin/run.mjs bench/jobs/jobs-page.ts [--store postgres] [--jobs N]. A browser opens it on
// a server with a million kept jobs, by its address and from another page, and filters it.

import { parseArgs } from "node:util";
import { chromium, type Page } from "playwright-core";
import { postgresHome, sqliteHome } from "./host/home.ts";
import { cpuMicros } from "./host/process-cpu.ts";
import { fillWithEnded } from "./kept-jobs.ts";
import { startOn } from "./peers/freehold.ts";

const {
  store,
  jobs,
  chromium: executablePath,
} = parseArgs({
  options: {
    store: { type: "string", default: "sqlite" },
    jobs: { type: "string", default: "1000000" },
    chromium: { type: "string", default: "/usr/bin/chromium" },
  },
}).values;

const ROUNDS = 15;

/**
 * Resolves to the time at which rows with such a text are on the screen and the page is free to react: the tasks of the
 * frame that showed them have ended.
 */
const INTERACTIVE = `window.interactive = (text) => new Promise((resolve) => {
  const isShown = () => [...document.querySelectorAll('[role="table"] a[href^="/jobs/"]')]
    .some((link) => link.closest('[role="row"]').textContent.includes(text));
  const look = () => isShown()
    ? requestAnimationFrame(() => setTimeout(() => resolve(performance.now())))
    : requestAnimationFrame(look);
  look();
});`;

const home = await (store === "postgres" ? postgresHome : sqliteHome)();
await fillWithEnded(home, Number(jobs));
const server = await startOn(home);
const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
const baseURL = `http://127.0.0.1:${server.port}`;

/** A signed-in browser with an empty cache. */
async function openPage(): Promise<Page> {
  const context = await browser.newContext({ baseURL, viewport: { width: 1440, height: 900 } });
  const signIn = { data: { key: server.key }, headers: { origin: baseURL } };
  const answer = await context.request.post("/v1/session", signIn);
  if (!answer.ok()) throw new Error(await answer.text());
  await context.addInitScript(INTERACTIVE);
  return context.newPage();
}

/** Opens the address, and resolves to the ms until the page is interactive. */
async function open(page: Page): Promise<number> {
  await page.goto("/jobs", { waitUntil: "commit" });
  return page.evaluate<number>("interactive('Queued')");
}

/** Clicks a link of the navigation, and resolves to the ms from the click. */
const follow = (page: Page) =>
  page.evaluate<number>(`(() => {
    const from = performance.now();
    document.querySelector('nav a[href="/jobs"]').click();
    return interactive('Queued').then((at) => at - from);
  })()`);

/** Selects a status, and resolves to the ms until the rows are filtered. */
const filter = (page: Page) =>
  page.evaluate<number>(`(() => {
    const from = performance.now();
    const select = document.querySelector('select[aria-label="Status"]');
    select.value = 'FAILED';
    select.dispatchEvent(new Event('change', { bubbles: true }));
    return interactive('Failed').then((at) => at - from);
  })()`);

interface Figures {
  ms: number[];
  /** What the page's thread and the server computed. */
  pageMs: number[];
  serverMs: number[];
}

async function measure(figures: Figures, page: Page, act: (page: Page) => Promise<number>) {
  const session = await page.context().newCDPSession(page);
  await session.send("Performance.enable");
  const pageMs = async () => {
    const { metrics } = await session.send("Performance.getMetrics");
    return 1_000 * metrics.find(({ name }) => name === "TaskDuration")!.value;
  };
  const serverMs = () => cpuMicros(server.pid) / 1_000;
  const [pageFrom, serverFrom] = [await pageMs(), serverMs()];
  figures.ms.push(await act(page));
  figures.pageMs.push((await pageMs()) - pageFrom);
  figures.serverMs.push(serverMs() - serverFrom);
  await session.detach();
}

function print(name: string, { ms, pageMs, serverMs }: Figures): void {
  const columns = [ms, pageMs, serverMs].map((each) => each.sort((a, b) => a - b));
  const medians = columns.map((each) => each[Math.floor(each.length / 2)]!);
  const cells = [columns[0]![0]!, ...medians].map((each) => each.toFixed(0));
  process.stdout.write(`| ${name} | ${cells.join(" | ")} |\n`);
}

const none = (): Figures => ({ ms: [], pageMs: [], serverMs: [] });
const [first, again, link, filtered] = [none(), none(), none(), none()];
for (let round = 0; round < ROUNDS; round++) {
  const page = await openPage();
  await measure(first, page, open);
  await measure(again, page, open);
  await measure(filtered, page, filter);
  await page.goto("/pods");
  await page.getByText("No Pods yet").waitFor();
  await measure(link, page, follow);
  await page.context().close();
}
process.stdout.write(
  "| until interactive | least ms | median ms | page CPU ms | server CPU ms |\n| --- | --: | --: | --: | --: |\n",
);
print("by address, empty cache", first);
print("by address again", again);
print("by a link of the console", link);
print("failed jobs only", filtered);
await browser.close();
await server.stop();
await home.drop();
process.exit(0);
