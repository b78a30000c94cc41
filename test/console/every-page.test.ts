// Every page is loaded once, on a tablet; test/console/pages.test.ts visits them in other looks, with axe.

import { test } from "node:test";
import { skipReason } from "./browser.ts";
import { TABLET, visitEveryPage } from "./page-checks.ts";

test(`every page, ${TABLET.theme}, ${TABLET.width} px`, { skip: skipReason }, (t) =>
  visitEveryPage(t, TABLET),
);
