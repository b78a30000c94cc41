import { testHandlerOutcomes } from "./handler-outcomes.ts";
import { testWorkerLife } from "./worker-life.ts";

testHandlerOutcomes("1.6.2");
testWorkerLife("1.6.2");
