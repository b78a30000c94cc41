// The load generator, a process of its own: clients that run cycles for a while and check every answer. It takes one
// JSON argument (LoadPlan) and prints one line of JSON (LoadOutcome). A wrong answer ends it with a failure, because
// figures of a wrong server mean nothing.
import { Connection, type Reply, requestText } from "./connection.ts";
import { cpuMicros, writtenBytes } from "./host/process-cpu.ts";
import { Latencies } from "./report/latencies.ts";

export interface LoadPlan {
  port: number;
  key: string;
  endpointId: string;
  /** At least as many as clients; in a cycle, client n acts as worker n. */
  workers: { id: string; key: string }[];
  /** `cycle`: each client runs, takes, finishes and reads a job. `runsync`: clients and workers are apart. */
  form: "cycle" | "runsync";
  clients: number;
  warmUpMs: number;
  measureMs: number;
  /** The policy of every job of a cycle; absent for none. */
  policy?: "none" | "retry" | "concurrency";
  /** The processes whose CPU time is measured, by name, with all their descendants. */
  processes: Record<string, number[]>;
}

export interface LoadResult {
  cycles: number;
  seconds: number;
  cyclesPerSecond: number;
  p50Ms: number;
  p99Ms: number;
  maxMs: number;
  /** CPU microseconds per cycle of each group of processes, and of the load generator. */
  cpuMicrosPerCycle: Record<string, number>;
  /** What the processes, without the load generator, wrote to disks. */
  writtenKbPerCycle: number;
}

export type LoadOutcome = LoadResult | { failure: string };

const input = JSON.stringify({ text: "x".repeat(189) });
const submission = `{"input":${input}}`;
const result = '{"output":{"ok":true,"took":12}}';
const states = new Set(["IN_QUEUE", "IN_PROGRESS", "COMPLETED"]);

const plan: LoadPlan = JSON.parse(process.argv[2] ?? "{}");
const base = `/v2/${plan.endpointId}`;
const runText = requestText("POST", `${base}/run`, plan.key, submission);
const runsyncText = requestText("POST", `${base}/runsync`, plan.key, submission);
const latencies = new Latencies();
let finished = 0;
let stopping = false;

type Worker = LoadPlan["workers"][number];

function takeText({ id, key }: Worker): string {
  return requestText("GET", `${base}/job-take/${id}?gpu=X&job_in_progress=0`, key);
}

function doneText({ id, key }: Worker, job: string): string {
  const path = `${base}/job-done/${id}/${job}?gpu=X&isStream=false`;
  return requestText("POST", path, key, result, "application/x-www-form-urlencoded");
}

function expect200(what: string, reply: Reply): Record<string, unknown> {
  if (reply.status !== 200) throw new Error(`${what}: ${reply.status} ${reply.body.slice(0, 200)}`);
  return JSON.parse(reply.body);
}

function wrong(what: string, reply: Reply): never {
  throw new Error(`${what} gave a wrong answer: ${reply.body.slice(0, 300)}`);
}

/** The id in a reply to job-take, checked to hold a whole job. */
function jobOf(reply: Reply): string {
  const job = expect200("job-take", reply) as { id?: string; input?: { text?: string } };
  if (typeof job.id !== "string" || job.input?.text?.length !== 189) wrong("job-take", reply);
  return job.id as string;
}

const KEYS = 16;
let keyed = 0;

/** No limit of a key is reached: what the policies cost is measured, not how long they make jobs wait. */
function cycleText(): string {
  const { policy = "none" } = plan;
  if (policy === "none") return runText;
  const concurrency = { key: `user-${keyed++ % KEYS}`, limit: 100 };
  const sent = JSON.stringify(policy === "retry" ? { retry: { maxAttempts: 3 } } : { concurrency });
  return requestText("POST", `${base}/run`, plan.key, `{"input":${input},"policy":${sent}}`);
}

async function cycleClient(connection: Connection, worker: Worker): Promise<void> {
  const [take, run] = [takeText(worker), cycleText()];
  while (!stopping) {
    const startedAt = performance.now();
    const submitted = await connection.send(run);
    const { id, status } = expect200("run", submitted);
    if (typeof id !== "string" || status !== "IN_QUEUE") wrong("run", submitted);
    const taken = jobOf(await connection.send(take));
    expect200("job-done", await connection.send(doneText(worker, taken)));
    const reply = await connection.send(requestText("GET", `${base}/status/${id}`, plan.key));
    const state = expect200("status", reply);
    if (state.id !== id || !states.has(state.status as string)) wrong("status", reply);
    if (taken === id && state.status !== "COMPLETED") wrong("status", reply);
    latencies.add(performance.now() - startedAt);
    finished++;
  }
}

async function runsyncClient(connection: Connection): Promise<void> {
  while (!stopping) {
    const startedAt = performance.now();
    const reply = await connection.send(runsyncText);
    const { status, output } = expect200("runsync", reply);
    if (status !== "COMPLETED" || (output as { ok?: boolean })?.ok !== true)
      wrong("runsync", reply);
    latencies.add(performance.now() - startedAt);
    finished++;
  }
}

/** Ends with the process: once the clients stop, its last take is held. */
async function workerLoop(connection: Connection, worker: Worker): Promise<void> {
  const take = takeText(worker);
  for (;;) {
    const reply = await connection.send(take);
    if (reply.status === 204) continue;
    expect200("job-done", await connection.send(doneText(worker, jobOf(reply))));
  }
}

function cpuTimes(): Record<string, number> {
  const groups = { ...plan.processes, load: [process.pid] };
  return Object.fromEntries(
    Object.entries(groups).map(([name, pids]) => [
      name,
      pids.reduce((sum, pid) => sum + cpuMicros(pid), 0),
    ]),
  );
}

function writtenKb(): number {
  const pids = Object.values(plan.processes).flat();
  return pids.reduce((sum, pid) => sum + writtenBytes(pid), 0) / 1_000;
}

/** Measures a window after the warm-up, while the clients run. */
async function measure(): Promise<LoadResult> {
  await new Promise((resolve) => setTimeout(resolve, plan.warmUpMs));
  latencies.clear();
  const [startedAt, finishedBefore, before] = [performance.now(), finished, cpuTimes()];
  const kbBefore = writtenKb();
  await new Promise((resolve) => setTimeout(resolve, plan.measureMs));
  const seconds = (performance.now() - startedAt) / 1000;
  const cycles = finished - finishedBefore;
  const after = cpuTimes();
  const [p50Ms, p99Ms, maxMs] = [latencies.at(0.5), latencies.at(0.99), latencies.at(1)];
  const cpuMicrosPerCycle = Object.fromEntries(
    Object.keys(after).map((name) => [name, (after[name]! - before[name]!) / cycles]),
  );
  const writtenKbPerCycle = (writtenKb() - kbBefore) / cycles;
  return {
    cycles,
    seconds,
    cyclesPerSecond: cycles / seconds,
    p50Ms,
    p99Ms,
    maxMs,
    cpuMicrosPerCycle,
    writtenKbPerCycle,
  };
}

async function run(): Promise<LoadResult> {
  const open = (count: number) =>
    Promise.all(Array.from({ length: count }, () => Connection.open(plan.port)));
  const clients = await open(plan.clients);
  const workers = plan.form === "cycle" ? [] : await open(plan.clients);
  const workerLoops = workers.map((connection, n) => workerLoop(connection, plan.workers[n]!));
  const clientLoops = clients.map((connection, n) =>
    plan.form === "cycle" ? cycleClient(connection, plan.workers[n]!) : runsyncClient(connection),
  );
  const failure = Promise.race(workerLoops.concat(Promise.all(clientLoops).then(() => {})));
  const result = await Promise.race([measure(), failure]);
  if (!result) throw new Error("the load generator stopped early");
  stopping = true;
  await Promise.race([Promise.all(clientLoops), ...workerLoops]);
  return result;
}

const outcome: LoadOutcome = await run().catch((error: Error) => ({ failure: error.message }));
process.stdout.write(`${JSON.stringify(outcome)}\n`);
process.exit(0);
