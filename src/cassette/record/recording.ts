// A recording: a server that clients use in the place of a service, and the cassette that its calls are written to.

import type { Clock } from "../../base/clock.ts";
import type { RecordedCall } from "../format/cassette.ts";
import { openCassette } from "../format/write-cassette.ts";
import { Normalizer } from "../normal/normalizer.ts";
import { closeServer, listenOn } from "../server.ts";
import { RecordedPolls } from "./polls.ts";
import { createRecorder } from "./recorder.ts";
import { checkUpstreams, readUpstreams } from "./upstreams.ts";

export interface RecordingSpec {
  /** URLs, or PATH=URL. */
  upstreams: string[];
  file: string;
  /** Replaces the file if it exists. */
  force?: boolean | undefined;
  listen?: string | undefined;
}

export interface RecordingDeps {
  clock: Clock;
  onCall: (call: RecordedCall) => void;
  /** Called with a sentence about a call that is not recorded. */
  onProblem: (sentence: string) => void;
}

export interface Recording {
  /** Where clients connect. */
  origin: string;
  close(): Promise<void>;
}

/** Throws Refusal if an upstream cannot be reached or the file cannot be written. */
export async function startRecording(
  { upstreams: texts, file, force = false, listen }: RecordingSpec,
  { clock, onCall, onProblem }: RecordingDeps,
): Promise<Recording> {
  const upstreams = readUpstreams(texts);
  await checkUpstreams(upstreams, clock);
  const polls = new RecordedPolls();
  const origins = upstreams.map(({ url }) => url.origin);
  const cassette = openCassette(file, force);
  const write = (calls: RecordedCall[]) => {
    for (const call of calls) {
      cassette.add(call);
      onCall(call);
    }
  };
  const server = createRecorder({
    upstreams,
    onProblem,
    record(exchange) {
      write(polls.add(normalizer.call(exchange)));
    },
  });
  const origin = await listenOn(server, listen);
  // A client may send back an address of either.
  const normalizer = new Normalizer([...origins, origin], clock.now);
  return {
    origin,
    async close() {
      await closeServer(server);
      write(polls.end());
      cassette.close();
    },
  };
}
