import type { JsonSchema } from "../../../schema/types.ts";
import { MemoryError } from "./errors.ts";

/** The longest text of a file, in characters. */
export const longestText = 100_000;

/** What a model writes: the fields that a command needs. */
export interface MemoryInput {
  readonly command: "view" | "create" | "str_replace" | "insert" | "delete" | "rename";
  readonly path?: string;
  readonly view_range?: readonly number[];
  readonly file_text?: string;
  readonly old_str?: string;
  readonly new_str?: string;
  readonly insert_line?: number;
  readonly insert_text?: string;
  readonly old_path?: string;
  readonly new_path?: string;
}

const text = (description: string, maxLength: number): JsonSchema => ({
  type: "string",
  description,
  maxLength,
});
const path = (description: string): JsonSchema => text(description, 1_000);

/** The commands and fields of Anthropic's memory tool (`memory_20250818`), which models know. */
export const memoryInput: JsonSchema = {
  type: "object",
  properties: {
    command: {
      type: "string",
      enum: ["view", "create", "str_replace", "insert", "delete", "rename"],
    },
    path: path("The file or folder, such as /memories/notes.md. For all commands but rename."),
    view_range: {
      type: "array",
      items: { type: "integer" },
      minItems: 2,
      maxItems: 2,
      description: "For view: the first and the last line; -1 for the end.",
    },
    file_text: text("For create: the text of the new file.", longestText),
    old_str: text("For str_replace: the text to replace. It must occur once.", longestText),
    new_str: text("For str_replace: the text in its place; nothing by default.", longestText),
    insert_line: {
      type: "integer",
      minimum: 0,
      description: "For insert: the line behind which the text comes; 0 for the beginning.",
    },
    insert_text: text("For insert: the text.", longestText),
    old_path: path("For rename: the file or folder."),
    new_path: path("For rename: its new path."),
  },
  required: ["command"],
  additionalProperties: false,
};

/** What a command may need. */
type MemoryField = Exclude<keyof MemoryInput, "command">;

/**
 * A field that a command needs.
 * @throws MemoryError for one that is missing.
 */
export function needed<F extends MemoryField>(input: MemoryInput, field: F): NonNullable<MemoryInput[F]> {
  const value = input[field];
  if (value !== undefined && value !== null) return value;
  throw new MemoryError(`Error: The command ${input.command} needs \`${field}\`.`);
}
