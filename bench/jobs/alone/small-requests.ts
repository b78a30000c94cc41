// Small requests at a fixed rate, whether or not earlier ones are answered: a pause of the server delays all requests
// that arrive during it.
import { Connection } from "../connection.ts";
import { Latencies } from "../report/latencies.ts";

const EVERY_MS = 5;
const CONNECTIONS = 64;

export interface Spread {
  requests: number;
  p50Ms: number;
  p99Ms: number;
  maxMs: number;
}

/** Sends the request for a time; every answer must be 200. */
export async function timeSmallRequests(
  port: number,
  text: string,
  forMs: number,
): Promise<Spread> {
  const idle = await Promise.all(Array.from({ length: CONNECTIONS }, () => Connection.open(port)));
  const latencies = new Latencies();
  const sent: Promise<void>[] = [];
  const one = async (dueAt: number) => {
    const connection = idle.pop() ?? (await Connection.open(port));
    const { status } = await connection.send(text);
    latencies.add(performance.now() - dueAt);
    idle.push(connection);
    if (status !== 200) throw new Error(`a small request was answered with ${status}`);
  };
  await new Promise<void>((resolve) => {
    const end = performance.now() + forMs;
    const timer = setInterval(() => {
      const now = performance.now();
      sent.push(one(now));
      if (now < end) return;
      clearInterval(timer);
      resolve();
    }, EVERY_MS);
  });
  await Promise.all(sent);
  for (const connection of idle) connection.close();
  const requests = sent.length;
  return { requests, p50Ms: latencies.at(0.5), p99Ms: latencies.at(0.99), maxMs: latencies.at(1) };
}
