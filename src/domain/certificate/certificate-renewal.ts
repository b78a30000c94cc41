// When a certificate that Freehold gets for itself is renewed. Pure.

import type { CertificateLife } from "./certificate-ending.ts";

/** Two thirds of the life, so that short-lived certificates are renewed in time as well. */
export const renewalAt = ({ startsAt, endsAt }: CertificateLife): number =>
  startsAt + ((endsAt - startsAt) * 2) / 3;
