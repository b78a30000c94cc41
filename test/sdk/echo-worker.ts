// A worker that the test simulates while a public client runs. The input says what it does with a
// job: {"do": "stream", "count": 3}.

import type { TestService, TestWorker } from "../fixtures/service/service.ts";

interface Job {
  id: string;
  input: { do?: "fail" | "stream" | "hang"; count?: number };
}

/** Serves an endpoint until the service is closed. */
export async function startEchoWorker(service: TestService, endpoint: string): Promise<void> {
  const worker = await service.makeWorker(endpoint);
  void serve(worker).catch(() => {}); // the service is closed
}

async function serve(worker: TestWorker): Promise<void> {
  for (;;) {
    const { status, json } = await worker.call("job-take", "?job_in_progress=0");
    if (status === 200) await answer(worker, json as Job);
    else if (status !== 204) return;
  }
}

async function answer(worker: TestWorker, { id, input }: Job): Promise<void> {
  const post = (route: string, body: object) =>
    worker.call(`${route}/${id}`, "?isStream=true", JSON.stringify(body));
  switch (input.do) {
    case "hang":
      return;
    case "fail":
      await post("job-done", { error: "handler failed" });
      return;
    case "stream":
      for (let number = 0; number < (input.count ?? 0); number++) {
        await post("job-stream", { output: { number } });
      }
      await post("job-done", { output: [] });
      return;
    default:
      await post("job-done", { output: input });
  }
}
