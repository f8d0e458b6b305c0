import type { ToolResult } from "../../message/messages.ts";
import type { Blocked } from "../../message/run-state.ts";
import type { Generation, Model, ModelEvent, ModelRequest } from "../../model/types.ts";
import type { Validation } from "../../schema/types.ts";
import type { ToolTable } from "../../tool/table.ts";
import type { Next } from "../state/outcome.ts";

/** An answer, and what blocked it: what remembers the one has the other. */
export type Answer = Generation & { readonly blocked?: Blocked };

/** What the active agent has for one turn. */
export interface Turn {
  readonly tools: ToolTable;
  /** Collects the output, if the answer must match a schema. */
  readonly output: OutputCollector | undefined;
}

/** Collects the output of one turn's answer. */
export interface OutputCollector {
  /** The tool whose arguments are taken as the output, also of a model that can write it as text. */
  readonly toolName: string;
  /** The request with the output's schema in it. */
  prepare(model: Model, request: ModelRequest): ModelRequest;
  /** Emits an event if it is a piece of the output; `false` if it is not. */
  onEvent(event: ModelEvent): boolean;
  /** Reads the output from the answer: the run ends with it, or the model reads what is wrong and the run goes on. */
  collect(): Promise<TurnEnd>;
  /** Reads a text as an output. The same text is read once: what was judged is what comes out. */
  read(text: string): Promise<Validation<unknown>>;
  /** The output in the text of a tool that ended the run; `undefined`, with a warning, if it does not fit the schema. */
  parse(text: string): Promise<unknown>;
}

/** The results of a turn's calls, and what follows. */
export interface TurnEnd {
  readonly results: readonly ToolResult[];
  readonly next: Next;
}
