import { testHandlerOutcomes } from "./handler-outcomes.ts";
import { testWorkerLife } from "./worker-life.ts";

testHandlerOutcomes("1.12.0");
testWorkerLife("1.12.0");
