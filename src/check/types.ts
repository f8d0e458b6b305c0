import type { FunctionSchema } from "../schema/function-schema.ts";
import type { JsonSchema } from "../schema/types.ts";
import type { ToolAnnotations } from "../tool/types.ts";
import type { Place } from "../base/util/place.ts";

/** A name, and where it stands. */
export interface NamedPlace {
  readonly name: string;
  readonly place: Place;
}

/** A property that a destructured parameter takes, and the variable that it becomes where that has another name. */
export interface TakenProperty extends NamedPlace {
  readonly variable?: string;
}

/** Where a tool is written; its parts are known for functions whose source was found. */
export interface ToolSource {
  /** The function's name, or the export that holds the tool. */
  readonly place: Place;
  /** Each parameter, with the names that a destructured one takes apart. */
  readonly parameters?: readonly (NamedPlace & { readonly elements?: readonly TakenProperty[] })[];
  /** The parameters that the doc comment speaks of: `city`, `options.city`. */
  readonly documented?: readonly NamedPlace[];
}

/** A tool as the rules see it. */
export interface CheckedTool {
  readonly name: string;
  readonly description?: string;
  readonly inputSchema: JsonSchema;
  readonly outputSchema?: JsonSchema;
  /** Whether the request asks the provider to enforce the schema. */
  readonly strict?: boolean;
  readonly deprecated?: ToolAnnotations["deprecated"];
  readonly version?: string;
  readonly source: ToolSource;
  /** What the function itself says, where its schema is written by hand. */
  readonly derived?: FunctionSchema;
  /** Why the tool cannot run with the schema written for it. */
  readonly unusable?: string;
}

/** An agent that a file exports, or that one of these can hand over to. */
export interface CheckedAgent {
  readonly name: string;
  readonly place: Place;
  readonly tools: readonly CheckedTool[];
  /** How many tools its model is shown, handoffs included. */
  readonly toolCount: number;
}

/** A file's tools. */
export interface CheckedFile {
  /** An absolute path. */
  readonly file: string;
  /** All of them, those of its agents included. */
  readonly tools: readonly CheckedTool[];
  /** Those that it exports by themselves, in lists or in toolkits. */
  readonly exported: readonly CheckedTool[];
  readonly agents: readonly CheckedAgent[];
}

/** What is wrong at one place. */
export interface Finding {
  /** A sentence. */
  readonly message: string;
  readonly place: Place;
  /** The fix, in a sentence. */
  readonly help?: string;
  /** The tool that it is about. */
  readonly tool?: string;
  /** For a finding that weighs more, or less, than its rule usually does. */
  readonly level?: "warn" | "error";
}

/** How much a rule's findings weigh: errors fail the check. */
export type Level = "off" | "warn" | "error";

/** One thing to look for. Pure: the same files give the same findings. */
export interface Rule {
  readonly level: Exclude<Level, "off">;
  find(files: readonly CheckedFile[]): Iterable<Finding>;
}
