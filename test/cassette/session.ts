// A session of the public npm package runpod-sdk, unmodified, with calls of REST and GraphQL beside it. The tests record,
// replay and compare it.

import runpodSdk from "runpod-sdk";
import type { TestService } from "../fixtures/service/service.ts";
import { until } from "../fixtures/until.ts";
import { startEchoWorker } from "../sdk/echo-worker.ts";

export const ENDPOINT = "shop";

/** The endpoint of the session, with a worker. */
export async function serveSession(service: TestService): Promise<void> {
  await service.makeEndpoint({ id: ENDPOINT });
  await startEchoWorker(service, ENDPOINT);
}

/** Returns what the client got, without ids. */
export async function runSession(origin: string, key: string): Promise<unknown[]> {
  const endpoint = runpodSdk(key, { baseUrl: `${origin}/v2` }).endpoint(ENDPOINT)!;
  const sync = await endpoint.runSync({ input: { n: 9 } }, 10_000);
  const { id } = await endpoint.run({ input: { do: "stream", count: 2 } });
  await until(async () => (await endpoint.status(id)).status === "COMPLETED");
  const chunks = [];
  for await (const { output } of endpoint.stream(id)) chunks.push(output);
  const hanging = await endpoint.run({ input: { do: "fail" } });
  await until(async () => (await endpoint.status(hanging.id)).status === "FAILED");

  const call = async (method: string, path: string, body?: unknown) => {
    const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
    const init = { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) };
    const answer = await fetch(origin + path, init);
    const text = await answer.text();
    return { status: answer.status, json: text === "" ? null : JSON.parse(text) };
  };
  const template = { name: "box", imageName: "box:1", env: { HF_TOKEN: "hidden" } };
  const created = await call("POST", "/v1/templates", template);
  const read = await call("GET", `/v1/templates/${created.json.id}`);
  const catalog = await call("GET", "/v2/catalog/gpus");
  const graphql = await call("POST", "/graphql", { query: "query { myself { id } }" });
  const deleted = await call("DELETE", `/v1/templates/${created.json.id}`);
  return [
    sync.status,
    sync.output,
    chunks,
    created.status,
    read.json.name,
    catalog.status,
    graphql.status,
    deleted.status,
  ];
}
