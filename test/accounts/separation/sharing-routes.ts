// The routes of projects, exemptions and reservations, each with what a caller of another account gets.

import { type Case, hidden, open, own, withBody } from "./case.ts";

export const sharingRoutes: Record<string, Case> = {
  "POST /v1/projects": withBody("own", { name: "beta" }),
  "GET /v1/projects": own,
  "GET /v1/projects/:projectId": hidden,
  "PATCH /v1/projects/:projectId": withBody("hidden", { name: "beta" }),
  "DELETE /v1/projects/:projectId": hidden,
  "POST /v1/exemptions": withBody("own", { label: "team=beta", reason: "beta" }),
  "GET /v1/exemptions": own,
  "DELETE /v1/exemptions/:exemptionId": hidden,
  "POST /v1/reservations": withBody("own", {
    gpuTypeId: "NVIDIA A40",
    until: new Date(Date.now() + 3_600_000).toISOString(),
  }),
  "GET /v1/reservations": own,
  "GET /v1/reservations/:reservationId": hidden,
  "PATCH /v1/reservations/:reservationId": withBody("hidden", { note: "beta" }),
  "DELETE /v1/reservations/:reservationId": hidden,
  "PUT /v1/reservation-feed": own,
  "GET /v1/reservation-feed": own,
  "DELETE /v1/reservation-feed": own,
  // Without the token of a feed there is none.
  "GET /v1/reservations.ics": open,
};
