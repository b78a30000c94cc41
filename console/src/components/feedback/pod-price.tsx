// The price of Pods before they are created.

import type { Schema } from "../../api/client.ts";
import { useQuote } from "../../api/quote.ts";
import { formatHourlyPrice } from "../format/units.ts";

interface Props {
  pod: Schema["PodSettingsInput"];
  count?: number;
  /** Whether they run in the cheaper cloud that has room. */
  inAnyCloud?: boolean;
}

export function PodPrice({ pod, count = 1, inAnyCloud = false }: Props) {
  const { data: secure } = useQuote({ pod });
  const { data: community } = useQuote(
    inAnyCloud ? { pod: { ...pod, cloudType: "COMMUNITY" } } : null,
  );
  const total = cheapest(secure, community) * count;
  return (
    <p className="text-sm">
      <span className="text-muted">Price while running: </span>
      <span className="font-medium">{Number.isFinite(total) ? formatHourlyPrice(total) : "…"}</span>
    </p>
  );
}

/** Dollars per hour of one Pod; NaN before the quotes have arrived. */
function cheapest(...quotes: (Schema["Quote"] | undefined)[]): number {
  const known = quotes.filter((quote) => quote !== undefined);
  const available = known.filter((quote) => quote.available);
  const prices = (available.length > 0 ? available : known).map((quote) => quote.totalPerHr);
  return prices.length > 0 ? Math.min(...prices) : Number.NaN;
}
