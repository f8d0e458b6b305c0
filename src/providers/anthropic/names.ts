import { wireName } from "../../model/wire-names.ts";
import { type ToolNames, mapToolNames } from "../kit/tool-names.ts";

/** The API's error messages state the pattern `^[a-zA-Z0-9_-]{1,128}$`. */
const maxNameLength = 128;

/** Maps `names` to distinct names that the API accepts. */
export function toolNames(names: Iterable<string>): ToolNames {
  return mapToolNames(names, (name) => wireName(name, maxNameLength));
}

/** The API's error messages state the pattern `^[a-zA-Z0-9_-]+$`, without a length. */
const maxIdLength = 256;

/** The id of a call and of its result in a form that the API accepts. */
export function wireId(toolCallId: string): string {
  return wireName(toolCallId, maxIdLength);
}
