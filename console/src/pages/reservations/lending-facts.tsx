// How the GPUs of a reservation that has begun stand, and the Pods that borrow some.

import { Link } from "@tanstack/react-router";
import { formatQuantity } from "../../components/format/units.ts";
import { Fact } from "../../components/layout/card.tsx";
import { paths } from "../../paths.ts";
import type { Reservation } from "./reservation.ts";

export function LendingFacts({ of: { use, borrowers } }: { of: Reservation }) {
  return (
    <>
      {use && <Fact name="GPUs now">{standingText(use)}</Fact>}
      {borrowers && (
        <Fact name="Borrowed by">
          {borrowers.map(({ podId, name, gpuCount }) => (
            <div key={podId}>
              <Link to={paths.pod} params={{ podId }}>
                {name || podId}
              </Link>
              , {formatQuantity(gpuCount, "GPU")}
            </div>
          ))}
        </Fact>
      )}
    </>
  );
}

/** Such as "1 in use, 1 free, 2 lent to spot Pods" */
export function standingText({ used, free, lent, short }: NonNullable<Reservation["use"]>): string {
  const parts = [
    `${used} in use`,
    ...(free > 0 ? [`${free} free`] : []),
    ...(lent > 0 ? [`${lent} lent to spot Pods`] : []),
    ...(short > 0 ? [`${short} short`] : []),
  ];
  return parts.join(", ");
}
