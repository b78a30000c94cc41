// The event for a TLS certificate that ends soon, and when it is due. Pure.

import { DAY_MS } from "../../base/units.ts";
import { type AccountEvent, accountEvent } from "../notification/event.ts";

export interface CertificateLife {
  /** Unix time in milliseconds. */
  startsAt: number;
  endsAt: number;
}

export interface EndingCertificate extends CertificateLife {
  fingerprint: string;
  names: string[];
}

const MAX_LEAD_MS = 14 * DAY_MS;

/** Short-lived certificates are renewed in their last third. */
const leadMsOf = ({ startsAt, endsAt }: CertificateLife) =>
  Math.min(MAX_LEAD_MS, (endsAt - startsAt) / 3);

/** From when on the end of a certificate is trouble. */
export const warningAt = (life: CertificateLife): number => life.endsAt - leadMsOf(life);

/**
 * Null while there is time. `at` of the event is the last reminder that is due, so that each is announced once by any
 * number of replicas and restarts.
 */
export function certificateEnding(
  certificate: EndingCertificate,
  now: number,
): AccountEvent | null {
  const { endsAt, fingerprint, names } = certificate;
  const firstAt = warningAt(certificate);
  if (now < firstAt) return null;
  const stepMs = Math.max(DAY_MS, leadMsOf(certificate) / 2);
  const at = Math.floor(firstAt + Math.floor((now - firstAt) / stepMs) * stepMs);
  const end = new Date(endsAt).toISOString();
  const [name = ""] = names;
  return accountEvent({
    type: "certificate_ending",
    at,
    summary:
      now < endsAt
        ? `The TLS certificate of ${name} ends at ${end}; renew it.`
        : `The TLS certificate of ${name} ended at ${end}; clients refuse it. Renew it.`,
    resource: { type: "certificate", id: fingerprint, name },
    details: { endsAt: end, names: names.join(", ") },
  });
}

interface RenewalFailure {
  sentence: string;
  /** Unix time in milliseconds of the first failure in a row. */
  since: number;
  retryAt: number;
}

/** An order that failed, announced daily at most. */
export function renewalFailed(
  names: string[],
  { sentence, since, retryAt }: RenewalFailure,
  now: number,
): AccountEvent {
  const [name = ""] = names;
  const retry = new Date(retryAt).toISOString();
  return accountEvent({
    type: "certificate_ending",
    at: since + Math.floor((now - since) / DAY_MS) * DAY_MS,
    summary: `No TLS certificate was issued for ${name}: ${sentence} Freehold tries again at ${retry}.`,
    resource: { type: "certificate", id: name, name },
    details: { names: names.join(", "), problem: sentence, retryAt: retry },
  });
}
