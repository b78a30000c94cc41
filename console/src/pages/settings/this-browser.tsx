// What is set for this browser alone: the time zone of all times.

import { Field, Select } from "../../components/control/field.tsx";
import { Card } from "../../components/layout/card.tsx";
import { browserZone, chooseTimeZone, useTimeZoneChoice } from "../../time-zone.ts";

const otherZones = Intl.supportedValuesOf("timeZone").filter((name) => name !== "UTC");

export function ThisBrowser() {
  const choice = useTimeZoneChoice();
  return (
    <Card title="This browser">
      <Field
        className="max-w-[60ch]"
        label="Time zone"
        hint="Every page shows its times in this zone, and forms take them in it. Hours, days and months of bills stay those of UTC, and a schedule has a zone of its own."
      >
        {(control) => (
          <Select
            {...control}
            className="max-w-80"
            value={choice}
            onChange={({ target }) => chooseTimeZone(target.value)}
          >
            <option value="local">The browser's: {browserZone()}</option>
            <option value="UTC">UTC</option>
            {otherZones.map((name) => (
              <option key={name} value={name}>
                {name}
              </option>
            ))}
          </Select>
        )}
      </Field>
    </Card>
  );
}
