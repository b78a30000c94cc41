// What the fake driver of any replica of a house was given to start.

import type { Workload } from "../src/drivers/driver.ts";
import type { FakeDriver } from "../src/drivers/fake/fake-driver.ts";
import type { TestHouse } from "./house.ts";

export function given(house: TestHouse, id: string): Workload | undefined {
  const found = house.replicas.map(({ house: { drivers } }) => {
    return (drivers.find(({ name }) => name === "fake") as FakeDriver).given(id);
  });
  return found.find((each) => each !== undefined);
}
