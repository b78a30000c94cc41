// The effect of 10 MB inputs on other requests: small status requests, timed without and with them.
import path from "node:path";
import { Connection, requestText } from "../connection.ts";
import type { NewHome } from "../host/home.ts";
import { spawnTracked, stopProcess } from "../host/peer-process.ts";
import { startAnew } from "../peers/freehold.ts";
import type { StartedPeer } from "../peers.ts";
import type { LargePlan } from "./large-load.ts";
import { type Spread, timeSmallRequests } from "./small-requests.ts";

const CLIENTS = 4;
const INPUT_BYTES = 10_000_000;

export interface LargeInputs {
  without: Spread;
  beside: Spread;
  /** The number of large inputs that were acknowledged meanwhile. */
  submitted: number;
}

export async function measureLargeInputs(newHome: NewHome, forMs: number): Promise<LargeInputs> {
  const server = await startAnew(newHome);
  const { port } = server;
  const text = await statusRequest(server);
  await timeSmallRequests(port, text, forMs / 2);
  const without = await timeSmallRequests(port, text, forMs);
  const large = await startLarge(server);
  const before = large.submitted();
  const beside = await timeSmallRequests(port, text, forMs);
  const submitted = large.submitted() - before;
  await large.stop();
  await server.stop();
  return { without, beside, submitted };
}

async function statusRequest({ port, endpointId, key }: StartedPeer): Promise<string> {
  const client = await Connection.open(port);
  const run = requestText("POST", `/v2/${endpointId}/run`, key, '{"input":{}}');
  const { id } = JSON.parse((await client.send(run)).body);
  client.close();
  return requestText("GET", `/v2/${endpointId}/status/${id}`, key);
}

/** Resolves once the first large input is acknowledged. */
async function startLarge({ port, key, endpointId }: StartedPeer) {
  const plan: LargePlan = { port, key, endpointId, clients: CLIENTS, inputBytes: INPUT_BYTES };
  const script = path.join(import.meta.dirname, "large-load.ts");
  const child = spawnTracked(process.execPath, [script, JSON.stringify(plan)]);
  let submitted = 0;
  child.stdout!.on("data", (data: Buffer) => {
    submitted += data.toString().split("\n").length - 1;
  });
  await new Promise<void>((resolve, reject) => {
    child.stdout!.once("data", () => resolve());
    child.once("exit", (code) => reject(new Error(`the large load ended with ${code}`)));
  });
  return { submitted: () => submitted, stop: () => stopProcess(child) };
}
