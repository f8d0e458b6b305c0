/**
 * What becomes of tools that are not as they were when they were locked: `"warn"` has the run warn, `"strict"` has their calls
 * wait for a person, too, and those of tools that are in no lock, whatever the policy of a wrapper; `"off"` lets them be.
 */
export type Trust = "strict" | "warn" | "off";

/** How far a server is trusted to go on offering the same tools. */
export interface TrustOptions {
  /** `"warn"` by default. */
  readonly trust?: Trust;
  /**
   * The lock that says how the tools were. With `"warn"`, a server that is not in it is added. By default it is
   * `skein.lock.json` beside the nearest package.json, where nothing is added without `lock()`.
   */
  readonly lockFile?: string;
}
