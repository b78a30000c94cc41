// What a job streams, while it comes: text as it reads, anything else as a list of chunks.

import { useEffect, useState } from "react";
import type { Schema } from "../../api/client.ts";
import { streamChunks } from "../../api/stream-chunks.ts";
import { Json, TextBlock } from "../../components/data/json-view.tsx";
import { ErrorNote } from "../../components/feedback/error-note.tsx";
import { formatQuantity } from "../../components/format/units.ts";
import { Card } from "../../components/layout/card.tsx";

type Job = Schema["Job"];

/** Earlier chunks are left out. */
const MAX_CHUNKS = 1_000;

export function StreamOutput({ job }: { job: Job }) {
  const { chunks, error } = useStream(job);
  if (job.chunks === 0 || isBeyondRetention(job)) return null;
  const count = formatQuantity(job.chunks, "chunk");
  const aside = job.chunks > MAX_CHUNKS ? `the newest ${MAX_CHUNKS} of ${count}` : count;
  const isText = chunks.every((chunk) => typeof chunk === "string");
  return (
    <Card title="Stream" aside={aside} flush>
      {isText ? (
        <TextBlock text={chunks.join("")} label="Stream" wraps />
      ) : (
        <Json value={chunks} label="Stream" />
      )}
      {error !== null && <ErrorNote error={error} />}
    </Card>
  );
}

/** The queue no longer serves its chunks. */
const isBeyondRetention = (job: Job) => job.keptUntil !== undefined;

interface StreamState {
  chunks: unknown[];
  error: unknown;
}

/** Each attempt of a job begins its stream anew. */
function useStream(job: Job): StreamState {
  const [state, setState] = useState<StreamState>({ chunks: [], error: null });
  const { id: jobId, endpointId } = job;
  const attempt = job.attempts.length;
  const begins = job.chunks > 0 && !isBeyondRetention(job);
  // biome-ignore lint/correctness/useExhaustiveDependencies: later chunks belong to the same stream
  useEffect(() => {
    setState({ chunks: [], error: null });
    if (!begins) return;
    const stopped = new AbortController();
    const from = Math.max(0, job.chunks - MAX_CHUNKS);
    void (async () => {
      try {
        const { signal } = stopped;
        for await (const more of streamChunks({ endpointId, jobId, from, signal })) {
          if (signal.aborted) return;
          setState(({ chunks }) => ({
            chunks: [...chunks, ...more].slice(-MAX_CHUNKS),
            error: null,
          }));
        }
      } catch (error) {
        if (!stopped.signal.aborted) setState(({ chunks }) => ({ chunks, error }));
      }
    })();
    return () => stopped.abort();
  }, [endpointId, jobId, attempt, begins]);
  return state;
}
