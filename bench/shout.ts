import { tool, type JsonSchema, type Tool } from "skein";

/** What the one tool of every row does. */
export async function shout(text: string): Promise<string> {
  return text.toUpperCase();
}

/** What the model is told of it. */
export const shoutDescription = "Says it in capital letters.";

/** The schema of its arguments. */
export const shoutSchema: JsonSchema = {
  type: "object",
  properties: { text: { type: "string", description: "What to shout" } },
  required: ["text"],
};

/** The tool as Skein has it. */
export const shoutTool: Tool<{ text: string }> = tool<{ text: string }>({
  name: "shout",
  description: shoutDescription,
  input: shoutSchema,
  execute: ({ text }) => shout(text),
});
