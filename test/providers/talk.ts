import { result, tool, type Message, type Tool } from "skein";
import { blueSquare } from "./scenario-kit.ts";

const object = { type: "object", properties: {} } as const;

/** The tools of the conversations that go from one provider to another: with a value, an image, nothing, an error. */
export function talkTools(lookUp: string): readonly Tool[] {
  return [
    tool<{ bird: string }>({
      name: lookUp,
      input: { ...object, properties: { bird: { type: "string" } }, required: ["bird"] },
      execute: ({ bird }) => ({ code: `${bird}-4492` }),
    }),
    tool({
      name: "photo",
      input: object,
      execute: () =>
        result({
          content: [
            { type: "text", text: "A photo." },
            { type: "image", url: blueSquare },
          ],
        }),
    }),
    tool({ name: "nothing", input: object, execute: () => "" }),
    tool({
      name: "archive",
      input: object,
      execute: () => {
        throw new Error("The archive is closed.");
      },
    }),
  ];
}

/** What everybody has to see of such a conversation. */
export function publicWords(name: string): string[] {
  const words = [`I look, says ${name}.`, `Done, says ${name}.`, "heron-4492", "A photo."];
  return [...words, "The archive is closed.", blueSquare.split(",")[1] ?? blueSquare];
}

/** A history with a call that nobody answered, and words of nobody. */
export const torn: readonly Message[] = [
  { role: "system", content: "Be kind." },
  { role: "assistant", content: [{ type: "text", text: "Hello!" }], toolCalls: [] },
  { role: "user", content: "Find out." },
  {
    role: "assistant",
    content: [
      { type: "text", text: "" },
      { type: "tool-call", toolCallId: "a" },
    ],
    toolCalls: [{ toolCallId: "a", toolName: "photo", arguments: "{}" }],
  },
  { role: "user", content: "Never mind." },
  { role: "assistant", content: [], toolCalls: [] },
  { role: "system", content: "Be brief." },
];

/** What is to be seen of it all the same. */
export const tornWords = [
  "Be kind.",
  "Hello!",
  "Never mind.",
  "Be brief.",
  "may or may not have taken effect",
] as const;
