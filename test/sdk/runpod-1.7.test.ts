import { testHandlerOutcomes } from "./handler-outcomes.ts";

testHandlerOutcomes("1.7.13");
