import { tool, type JsonSchema, type Tool } from "skein";

/** What the one tool of every row does. */
export async function shout(text: string): Promise<string> {
  return text.toUpperCase();
}

/** The schema of its arguments. */
export const shoutSchema: JsonSchema = {
  type: "object",
  properties: { text: { type: "string", description: "What to shout" } },
  required: ["text"],
};

/** The tool as Skein has it. */
export const shoutTool: Tool<{ text: string }> = tool<{ text: string }>({
  name: "shout",
  description: "Says it in capital letters.",
  input: shoutSchema,
  execute: ({ text }) => shout(text),
});
