// Tells the operator that the TLS certificate of this process ends soon.

import type { Logger } from "../../base/log.ts";
import {
  certificateEnding,
  type EndingCertificate,
} from "../../domain/certificate/certificate-ending.ts";
import type { Store } from "../../store/engine/store.ts";
import { raiseOperatorEvent } from "../../transactions/notification/raise.ts";
import type { Loop } from "../engine/loop.ts";

const PERIOD_MS = 60_000;

interface Deps {
  store: Store;
  log: Logger;
  /** The machine's time, which clients compare the certificate with, also under virtual time. */
  now: () => number;
}

interface Served {
  readonly certificate: EndingCertificate;
}

/** Each replica watches its own certificate; one that several serve is announced once. */
export function watchCertificateLoop(served: Served, deps: Deps): Loop {
  const { store, log, now } = deps;
  let loggedId: string | null = null;
  return {
    name: "watch-certificate",
    shared: false,
    periodMs: PERIOD_MS,
    restMs: PERIOD_MS,
    topics: [],
    async run() {
      const event = certificateEnding(served.certificate, now());
      if (event === null) return null;
      if (event.id !== loggedId) log.warn({ endsAt: event.details.endsAt }, event.summary);
      loggedId = event.id;
      // Raised at each pass: rules that are newer than the event get it too, and others have it.
      await store.write(raiseOperatorEvent, event);
      return null;
    },
  };
}
