import { testHandlerOutcomes } from "./handler-outcomes.ts";

testHandlerOutcomes("1.12.0");
