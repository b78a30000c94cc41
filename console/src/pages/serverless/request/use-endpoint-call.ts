// Sends a request to a load-balancing endpoint and follows its response.

import { useEffect, useRef, useState } from "react";
import type { Schema } from "../../../api/client.ts";
import { callEndpoint } from "./call-endpoint.ts";

export interface CallState {
  state: "waiting" | "streaming" | "ended" | "stopped";
  head: { status: number; headers: [name: string, value: string][] } | null;
  /** Until the head of the response, and until its end. */
  headMs: number | null;
  totalMs: number | null;
  bytes: number;
  /** The body so far; null if it is not text. */
  text: string | null;
  /** Why the response was cut off. */
  cutOff: string | null;
  error: unknown;
}

const initialState: CallState = {
  state: "waiting",
  head: null,
  headMs: null,
  totalMs: null,
  bytes: 0,
  text: "",
  cutOff: null,
  error: null,
};

const TEXT = /^(?:text\/|application\/(?:[\w.-]+\+)?(?:json|xml|yaml|javascript|x-ndjson)\b)/i;

const isText = (headers: [string, string][]) => {
  const headerNamed = (name: string) => headers.find(([each]) => each.toLowerCase() === name)?.[1];
  if (headerNamed("content-encoding") !== undefined) return false;
  return TEXT.test(headerNamed("content-type") ?? "text/plain");
};

export function useEndpointCall(endpointId: string) {
  const [call, setCall] = useState<CallState | null>(null);
  const latest = useRef<AbortController | null>(null);
  useEffect(() => () => latest.current?.abort(), []);
  const send = async (body: Schema["EndpointCallInput"]) => {
    latest.current?.abort();
    const abort = new AbortController();
    latest.current = abort;
    const sentAt = performance.now();
    const elapsedMs = () => performance.now() - sentAt;
    const show = (changes: Partial<CallState>) => {
      if (latest.current === abort)
        setCall((before) => ({ ...(before ?? initialState), ...changes }));
    };
    setCall(initialState);
    const decoder = new TextDecoder();
    let [bytes, text]: [number, string | null] = [0, ""];
    try {
      for await (const event of callEndpoint(endpointId, body, abort.signal)) {
        if (event.type === "error") show({ cutOff: event.message });
        else if (event.type === "response") {
          const { status, headers } = event;
          if (!isText(headers)) text = null;
          show({ state: "streaming", head: { status, headers }, headMs: elapsedMs(), text });
        } else {
          bytes += event.bytes.length;
          if (text !== null) text += decoder.decode(event.bytes, { stream: true });
          show({ bytes, text });
        }
      }
      show({ state: "ended", totalMs: elapsedMs() });
    } catch (error) {
      if (abort.signal.aborted) show({ state: "stopped", totalMs: elapsedMs() });
      else show({ state: "ended", totalMs: elapsedMs(), error });
    }
  };
  return { call, send, stop: () => latest.current?.abort() };
}
