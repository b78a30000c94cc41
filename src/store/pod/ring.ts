// Tells that a Pod was made, moved or seen: whoever looks at all of them, and whoever watches this one.

import { ring, type Verb } from "../statement.ts";
import { topic } from "../wakes.ts";

export function* ringPod(id: string): Verb<void> {
  yield* ring(topic.pods);
  yield* ring(topic.pod(id));
}
