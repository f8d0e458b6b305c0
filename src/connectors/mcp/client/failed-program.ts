import type { Ending } from "./stdio-transport.ts";

/** Why a program could not be connected to, and how it ended. */
export class FailedProgram extends Error {
  readonly ending: Ending;

  constructor(cause: unknown, ending: Ending) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
    this.ending = ending;
  }
}
