import { testHandlerOutcomes } from "./handler-outcomes.ts";
import { testWorkerLife } from "./worker-life.ts";

testHandlerOutcomes("2.0.0rc2");
testWorkerLife("2.0.0rc2");
