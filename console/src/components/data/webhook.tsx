// A webhook: its deliveries with their attempts, and redelivery.

import type { Schema } from "../../api/client.ts";
import { Button } from "../control/button.tsx";
import { ErrorNote } from "../feedback/error-note.tsx";
import { Card } from "../layout/card.tsx";
import { DeliveryStatus, DeliveryTries } from "./delivery.tsx";

interface Props {
  url: string;
  deliveries: Schema["Job"]["deliveries"];
  /** Shown while there is no delivery. */
  notYet: string;
  /** Null if it is not allowed. */
  redeliver: { isPending: boolean; error: unknown; start: (n: number) => void } | null;
}

export function Webhook({ url, deliveries, notYet, redeliver }: Props) {
  return (
    <Card title="Webhook" aside={<span className="break-all">{url}</span>} flush>
      {redeliver && redeliver.error !== null && (
        <div className="p-4 pb-0">
          <ErrorNote error={redeliver.error} />
        </div>
      )}
      {deliveries.length === 0 ? (
        <p className="p-4 text-muted">{notYet}</p>
      ) : (
        <ul className="divide-y divide-line">
          {deliveries.map(({ n, messageId, state, tries }) => (
            <li key={n} className="p-4">
              <div className="flex flex-wrap items-center gap-3">
                <DeliveryStatus state={state} />
                <code className="min-w-0 truncate text-muted">{messageId}</code>
                {redeliver && (
                  <Button
                    small
                    className="ml-auto"
                    busy={redeliver.isPending}
                    onClick={() => redeliver.start(n)}
                  >
                    Redeliver
                  </Button>
                )}
              </div>
              <DeliveryTries tries={tries} />
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}
