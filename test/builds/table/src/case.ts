import type { Agent, JsonObject, ToolSpec } from "skein";
import type { Session } from "./witness.ts";

/** One line of the table: an agent as a user makes it, a call of its tool, and what the function must then receive. */
export interface Case {
  readonly title: string;
  /** Made when it is tried: what cannot be a tool is refused here or in the run. */
  readonly agent: () => Agent<Session>;
  readonly toolName: string;
  readonly arguments: JsonObject;
  readonly receives: readonly unknown[];
  /** Whether the tool is described without types of the program: it takes nothing, its schema is written, or declared by a package. */
  readonly needsNoTypes?: true;
}

/** What comes of one case: what the model sees, or why there is nothing to see. */
export interface CaseReport {
  readonly title: string;
  readonly needsNoTypes: boolean;
  /** The tools as the model sees them. */
  readonly tools: readonly ToolSpec[];
  /** What the run warns of. */
  readonly warnings: readonly string[];
  /** The error's message. */
  readonly refused?: string;
  /** What a valid call's function received, and what it must receive. */
  readonly received: readonly (readonly unknown[])[];
  readonly receives: readonly unknown[];
  readonly hostile: {
    readonly calls: number;
    readonly injected: number;
    readonly forged: number;
  };
}
