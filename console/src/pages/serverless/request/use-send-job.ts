// Submits a job by the selected method and follows its result.

import { useRef, useState } from "react";
import type { Schema } from "../../../api/client.ts";
import { streamChunks } from "../../../api/stream-chunks.ts";
import { useWrite } from "../../../api/use-write.ts";
import type { SubmitMethod } from "../../jobs/snippets.ts";

export interface RequestState {
  state: "sending" | "streaming" | "answered";
  jobId: string | null;
  /** The response of runsync. */
  answer: Schema["QueueJob"] | null;
  /** The chunks of a stream so far. */
  chunks: unknown[];
  error: unknown;
}

/** Longer jobs are shown with their id while they wait or run. */
const SYNC_WAIT_MS = 1_000;

const initialState: RequestState = {
  state: "sending",
  jobId: null,
  answer: null,
  chunks: [],
  error: null,
};

export function useSendJob(endpointId: string) {
  const [state, setState] = useState<RequestState | null>(null);
  const latestRequest = useRef(0);
  const run = useWrite("post", "/v2/{endpointId}/run");
  const runsync = useWrite("post", "/v2/{endpointId}/runsync");
  const params = { path: { endpointId } };
  const send = async (method: SubmitMethod, body: Schema["Submission"]) => {
    const requestNumber = ++latestRequest.current;
    const show = (changes: Partial<RequestState>) => {
      if (requestNumber === latestRequest.current)
        setState((before) => ({ ...(before ?? initialState), ...changes }));
    };
    setState(initialState);
    try {
      if (method === "runsync") {
        const query = { wait: SYNC_WAIT_MS };
        const answer = await runsync.run({ params: { ...params, query }, body });
        return show({ state: "answered", jobId: answer.id, answer });
      }
      const { id: jobId } = await run.run({ params, body });
      if (method === "run") return show({ state: "answered", jobId });
      show({ state: "streaming", jobId });
      const chunks: unknown[] = [];
      for await (const more of streamChunks({ endpointId, jobId })) {
        if (requestNumber !== latestRequest.current) return;
        chunks.push(...more);
        show({ chunks: [...chunks] });
      }
      show({ state: "answered" });
    } catch (error) {
      show({ state: "answered", error });
    }
  };
  return { sent: state, send };
}
