import { testHandlerOutcomes } from "./handler-outcomes.ts";

testHandlerOutcomes("1.6.2");
