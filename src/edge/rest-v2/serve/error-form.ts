// The errors of REST v2, for the server that all interfaces share.

import { isRestV2Path } from "../../../domain/reserved-words.ts";
import type { ErrorForm } from "../../http/server.ts";
import { sendProblem } from "./problem.ts";
import { isUnknownRoute, unknownRouteFault } from "./unknown-route.ts";

export const restV2Errors: ErrorForm = {
  covers: isRestV2Path,
  send: sendProblem,
  isUnknownRoute,
  unknownRouteFault,
};
