import { testHandlerOutcomes } from "./handler-outcomes.ts";
import { testWorkerLife } from "./worker-life.ts";

testHandlerOutcomes("1.7.13");
testWorkerLife("1.7.13");
