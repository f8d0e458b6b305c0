import { wireName } from "../../model/wire-names.ts";
import { type ToolNames, toolNames as mapToolNames } from "../kit/tool-names.ts";

/** The API's errors cite `^[a-zA-Z0-9_-]{1,128}$`. */
const maxNameLength = 128;

/** Maps `names` to names that the API takes, no two alike. */
export function toolNames(names: Iterable<string>): ToolNames {
  return mapToolNames(names, (name) => wireName(name, maxNameLength));
}

/** The API cites `^[a-zA-Z0-9_-]+$`, without a length. */
const maxIdLength = 256;

/** The id of a call and its result as the API takes it. */
export function wireId(toolCallId: string): string {
  return wireName(toolCallId, maxIdLength);
}
