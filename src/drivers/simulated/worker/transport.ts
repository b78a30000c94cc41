// The HTTP calls of a simulated worker. The transport is a parameter, so that a test can answer itself; by
// default it is `fetch`.

export interface TransportRequest {
  method: "GET" | "POST";
  headers: Record<string, string>;
  body?: string;
  signal: AbortSignal;
}

export interface TransportResponse {
  status: number;
  text(): Promise<string>;
}

export type Transport = (url: string, call: TransportRequest) => Promise<TransportResponse>;

export interface Reply {
  status: number;
  text: string;
}

/** Null if there was no answer: the connection failed, or the signal aborted. */
export function send(
  transport: Transport,
  url: string,
  call: TransportRequest,
): Promise<Reply | null> {
  return new Promise((resolve) => {
    if (call.signal.aborted) return resolve(null);
    // Each call has its own signal, or it would leave a listener behind on a long-lived one.
    const callSignal = new AbortController();
    const finish = (reply: Reply | null) => {
      call.signal.removeEventListener("abort", cancel);
      resolve(reply);
    };
    // Finishes here too, because a transport need not observe the signal.
    const cancel = () => {
      callSignal.abort();
      finish(null);
    };
    call.signal.addEventListener("abort", cancel, { once: true });
    const readReply = async () => {
      const answer = await transport(url, { ...call, signal: callSignal.signal });
      return { status: answer.status, text: await answer.text() };
    };
    readReply().then(finish, () => finish(null));
  });
}
