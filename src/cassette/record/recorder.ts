// A server that passes every call on to an upstream and hands both sides to a recording. Bodies stream both ways.

import http from "node:http";
import { pipeline, Transform } from "node:stream";
import { withoutHopByHop } from "../../edge/proxy/headers.ts";
import { bodyOf } from "../format/body.ts";
import type { Exchange } from "../normal/normalizer.ts";
import { sendError } from "../server.ts";
import { requestTo, type Upstream, unreachable, upstreamOf } from "./upstreams.ts";

export interface RecorderDeps {
  upstreams: Upstream[];
  /** Called with every call that was answered to its end, in that order. */
  record: (exchange: Exchange) => void;
  /** Called with a sentence about a call that is not recorded. */
  onProblem: (sentence: string) => void;
}

/** The longest body that is recorded; a longer one is passed on only. */
const LONGEST_BODY = 32 * 1_048_576;

export function createRecorder(deps: RecorderDeps): http.Server {
  return http.createServer((request, response) => passOn(deps, request, response));
}

function passOn(
  { upstreams, record, onProblem }: RecorderDeps,
  request: http.IncomingMessage,
  response: http.ServerResponse,
): void {
  const { method = "GET", url: path = "/" } = request;
  const upstream = upstreamOf(upstreams, path);
  if (!upstream) {
    const prefixes = upstreams.map(({ prefix }) => prefix).join(", ");
    const sentence = `no --upstream is for ${path}; there are ${prefixes}`;
    sendError(response, 400, "no_upstream", sentence);
    return;
  }
  // The query is left out, because it may hold a key.
  const name = `${method} ${path.split("?")[0]}`;
  const lost = (reason: string) => onProblem(`${name} is not recorded: ${reason}`);
  const fail = (error: Error) => {
    if (response.destroyed) return lost("the client closed the connection");
    const sentence = unreachable(upstream.url, error);
    lost(sentence);
    sendError(response, 502, "upstream_unreachable", sentence);
  };
  const outgoing = requestTo(upstream, method, path, headersFor(request));
  const sending = copyOf();
  outgoing.on("error", fail);
  outgoing.on("response", (incoming) => {
    response.writeHead(incoming.statusCode!, withoutHopByHop(incoming.rawHeaders));
    response.flushHeaders();
    const answered = copyOf(() => {
      const [sent, received] = [sending.bytes(), answered.bytes()];
      if (!sent || !received) return lost("its body is over 32 MiB");
      const answer = { status: incoming.statusCode!, headers: textHeaders(incoming) };
      const headers = textHeaders(request);
      record({
        method,
        path,
        headers,
        body: bodyOf(sent),
        answer: { ...answer, body: bodyOf(received) },
      });
    });
    pipeline(incoming, answered.stream, response, (error) => {
      if (error) lost("the connection ended early");
    });
  });
  response.on("close", () => outgoing.destroy());
  pipeline(request, sending.stream, outgoing, () => undefined);
}

/** A compressed answer could not be scrubbed, so none is accepted. */
function headersFor({ rawHeaders }: http.IncomingMessage): string[] {
  const passed = withoutHopByHop(rawHeaders);
  return passed.filter((_, n) => !/^(?:host|accept-encoding)$/i.test(passed[n - (n % 2)]!));
}

/** Passes bytes on and keeps a copy; `ended` is called before the reader sees the end. */
function copyOf(ended: () => void = () => {}): { stream: Transform; bytes(): Buffer | null } {
  const pieces: Buffer[] = [];
  let length = 0;
  const stream = new Transform({
    transform(piece: Buffer, _, done) {
      length += piece.length;
      if (length <= LONGEST_BODY) pieces.push(piece);
      done(null, piece);
    },
    flush(done) {
      ended();
      done();
    },
  });
  return { stream, bytes: () => (length > LONGEST_BODY ? null : Buffer.concat(pieces)) };
}

function textHeaders({ headers }: http.IncomingMessage): Record<string, string> {
  const pairs = Object.entries(headers).map(([name, value]) => [name, String(value)]);
  return Object.fromEntries(pairs);
}
