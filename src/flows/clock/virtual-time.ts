// The service's time, if it is virtual: a test can then move it forward.

export interface VirtualTime {
  /** Resolves once everything that became due has happened. `silent`: workers count as silent meanwhile. */
  moveTo(instant: number, silent: boolean): Promise<void>;
  /** True once others have turned out to reach this service. */
  readonly isFixed: boolean;
}
