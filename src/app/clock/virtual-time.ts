// The virtual time of a service: a clock that its tests can move. It belongs to the installation from
// its first start on, because the data may be ahead of any other clock.

import { systemClock } from "../../base/clock.ts";
import { MovableClock } from "../../base/movable-clock.ts";
import { Refusal } from "../../base/refusal.ts";
import type { VirtualTime } from "../../flows/clock/virtual-time.ts";
import { StoreWrapper } from "../../flows/store-wrapper.ts";
import { firstAccount } from "../../store/account/account.ts";
import type { Tx } from "../../store/engine/statement.ts";
import type { Store } from "../../store/engine/store.ts";
import { findSetting, saveSetting } from "../../store/setting/setting.ts";
import { Activity } from "./activity.ts";
import { findProgramTime, type ProgramTime } from "./program-time.ts";

export interface OpenVirtualTime extends VirtualTime {
  clock: MovableClock;
  store: Store;
  activity: Activity;
  /** Null if the programs of workers keep the system's time. */
  programTime: ProgramTime | null;
  /** A libfaketime that would make waits of programs fail. */
  unusable: string | null;
  /** Ends the moves for good; the time goes on. */
  fix(): void;
}

/** How far the clock is ahead of the system's, in ms. */
const SETTING = "virtual_clock_lead_ms";

/** Null if the service follows the system's clock. Throws Refusal if the data do not suit the clock. */
export async function openVirtualTime(
  store: Store,
  config: { clock: "system" | "virtual"; dataFolder: string },
  env: NodeJS.ProcessEnv,
): Promise<OpenVirtualTime | null> {
  const lead = await store.read(findSetting, SETTING);
  const isVirtual = config.clock === "virtual";
  if (!isVirtual && lead !== null)
    throw new Refusal(`${dataIn(config)} a virtual clock; ${started}`);
  if (!isVirtual) return null;
  if (lead === null && (await store.read(firstAccount)))
    throw new Refusal(`${dataIn(config)} the system's clock; ${elsewhere}`);
  const activity = new Activity();
  const clock = new MovableClock(systemClock, Number(lead ?? 0));
  const saveLead = (leadMs: number) => store.write(saveSetting, SETTING, String(leadMs));
  await saveLead(clock.leadMs);
  const { programTime, unusable } = findProgramTime(config.dataFolder, clock.leadMs, env);
  const updatePrograms = () => programTime?.setLead(clock.now() - systemClock.now());
  const tracked = new TrackedStore(store, activity);
  let isFixed = false;
  return {
    clock,
    activity,
    programTime,
    unusable,
    store: tracked,
    moveTo: mover(),
    get isFixed() {
      return isFixed;
    },
    fix() {
      isFixed = true;
    },
  };

  function mover(): VirtualTime["moveTo"] {
    const settle = () => {
      updatePrograms();
      return activity.settled();
    };
    let last: Promise<unknown> = Promise.resolve();
    return (instant, silent) => {
      const move = last.then(async () => {
        if (instant <= clock.now()) return;
        // Saved first: data must never be ahead of the clock of the next start.
        await saveLead(instant - systemClock.now());
        await clock.moveTo(instant, { settle, silent });
        updatePrograms();
      });
      last = move.catch(() => {});
      return move;
    };
  }
}

const dataIn = ({ dataFolder }: { dataFolder: string }) =>
  `the data in ${dataFolder} were made with`;
const started = "start it with --clock virtual, or use another folder: --data FOLDER";
const elsewhere = "--clock virtual needs a folder of its own: --data FOLDER";

/** A store whose reads and writes count as activity. */
class TrackedStore extends StoreWrapper {
  readonly #activity: Activity;

  constructor(inner: Store, activity: Activity) {
    super(inner);
    this.#activity = activity;
  }

  write<Args extends unknown[], Result>(
    transaction: (...args: Args) => Tx<Result>,
    ...args: Args
  ): Promise<Result> {
    return this.#activity.track(this.inner.write(transaction, ...args));
  }

  override read<Args extends unknown[], Result>(
    transaction: (...args: Args) => Tx<Result>,
    ...args: Args
  ): Promise<Result> {
    return this.#activity.track(this.inner.read(transaction, ...args));
  }
}
