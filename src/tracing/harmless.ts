import { printFailure } from "../base/util/callbacks.ts";

/**
 * Has the SDK of the program do something. What it throws, by a processor, a sampler or a meter of the program's, is reported on the console:
 * no run fails because it is watched.
 * @returns what `work` returns, or `undefined` where it threw.
 */
export function harmless<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    printFailure("the OpenTelemetry SDK", error);
    return undefined;
  }
}
