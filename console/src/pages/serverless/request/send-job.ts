// Sends a job the way that was chosen, and hands back what comes of it as it comes.

import { useRef, useState } from "react";
import { type Schema, service } from "../../../api/client.ts";
import type { Way } from "./snippets.ts";

export interface Sent {
  state: "sending" | "streaming" | "answered";
  jobId: string | null;
  /** Of runsync, the job as it was answered. */
  answer: Schema["QueueJob"] | null;
  /** Of stream, what was yielded so far. */
  chunks: unknown[];
  error: unknown;
}

const nothing: Sent = { state: "sending", jobId: null, answer: null, chunks: [], error: null };

export function useSendJob(endpointId: string) {
  const [sent, setSent] = useState<Sent | null>(null);
  const turn = useRef(0);
  const send = async (way: Way, body: Schema["Submission"]) => {
    const mine = ++turn.current;
    const show = (news: Partial<Sent>) => {
      if (mine === turn.current) setSent((now) => ({ ...(now ?? nothing), ...news }));
    };
    setSent(nothing);
    try {
      if (way === "runsync") {
        const answer = await runsync(endpointId, body);
        return show({ state: "answered", jobId: answer.id, answer });
      }
      const jobId = await run(endpointId, body);
      if (way === "run") return show({ state: "answered", jobId });
      show({ state: "streaming", jobId });
      const chunks: unknown[] = [];
      for await (const more of streamed(endpointId, jobId)) {
        if (mine !== turn.current) return;
        chunks.push(...more);
        show({ chunks: [...chunks] });
      }
      show({ state: "answered" });
    } catch (error) {
      show({ state: "answered", error });
    }
  };
  return { sent, send };
}

async function run(endpointId: string, body: Schema["Submission"]): Promise<string> {
  const params = { path: { endpointId } };
  const { data, error } = await service.POST("/v2/{endpointId}/run", { params, body });
  if (error) throw error;
  return data.id;
}

async function runsync(endpointId: string, body: Schema["Submission"]) {
  const params = { path: { endpointId } };
  const { data, error } = await service.POST("/v2/{endpointId}/runsync", { params, body });
  if (error) throw error;
  return data;
}

/** Each call is held by the service until there is more. */
async function* streamed(endpointId: string, jobId: string): AsyncGenerator<unknown[]> {
  const params = {
    path: { endpointId, jobId },
    query: { format: "envelope" as const, wait: 30_000 },
  };
  for (;;) {
    const { data, error } = await service.GET("/v2/{endpointId}/stream/{jobId}", { params });
    if (error) throw error;
    const { status, stream } = data as { status: string; stream: Schema["StreamChunk"][] };
    if (stream.length > 0) yield stream.map(({ output }) => output);
    else if (status !== "IN_QUEUE" && status !== "IN_PROGRESS") return;
  }
}
