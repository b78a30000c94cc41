// An action of the simulation: something that a client, an operator or bad luck does to the service.

import type { Simulation } from "../model.ts";

export interface Action {
  /** How often it is chosen, in relation to the others. */
  weight: number;
  /** Returns false if there is nothing to do it to. */
  run(simulation: Simulation): Promise<unknown>;
}
