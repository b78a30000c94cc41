// One call of a fake worker. What carries it is handed in, so that a test can answer by itself; over
// HTTP it is `fetch`.

export interface Call {
  method: "GET" | "POST";
  headers: Record<string, string>;
  body?: string;
  signal: AbortSignal;
}

export interface Answer {
  status: number;
  text(): Promise<string>;
}

export type Transport = (url: string, call: Call) => Promise<Answer>;

export interface Reply {
  status: number;
  text: string;
}

/** Null if there was no answer: refused, cut off, or called off by the signal. */
export function exchange(transport: Transport, url: string, call: Call): Promise<Reply | null> {
  return new Promise((resolve) => {
    if (call.signal.aborted) return resolve(null);
    // A signal of its own, or each call would leave something behind on one that lives long.
    const own = new AbortController();
    const end = (reply: Reply | null) => {
      call.signal.removeEventListener("abort", callOff);
      resolve(reply);
    };
    // Ended here as well, because a transport need not heed the signal.
    const callOff = () => {
      own.abort();
      end(null);
    };
    call.signal.addEventListener("abort", callOff, { once: true });
    const answered = async () => {
      const answer = await transport(url, { ...call, signal: own.signal });
      return { status: answer.status, text: await answer.text() };
    };
    answered().then(end, () => end(null));
  });
}
