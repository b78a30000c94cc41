// Moves a Pod because of what it costs, or because its account was disabled. A lock holds against
// clients: nobody can lock himself into what he cannot pay.

import type { PodState } from "../domain/pod/moves.ts";
import { lockPod } from "../store/pod/row.ts";
import { type Move, movePod } from "../store/pod/wanted.ts";
import type { Verb } from "../store/statement.ts";

/** Only from the state that it was seen in. */
export function* haltPod(id: string, from: PodState, move: Move): Verb<void> {
  const pod = yield* lockPod(id);
  if (pod?.state === from) yield* movePod(pod, move);
}
