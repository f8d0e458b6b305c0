import OpenAI from "openai";
import type { OfficialClient, Question } from "./client.ts";

const model = "desk";

function messagesOf({ text, image }: Question): OpenAI.ChatCompletionMessageParam[] {
  if (image === undefined) return [{ role: "user", content: text }];
  const url = `data:image/png;base64,${image}`;
  return [
    {
      role: "user",
      content: [
        { type: "text", text },
        { type: "image_url", image_url: { url } },
      ],
    },
  ];
}

function formatOf({ output }: Question): Pick<OpenAI.ChatCompletionCreateParams, "response_format"> {
  if (!output) return {};
  return { response_format: { type: "json_schema", json_schema: { name: "answer", schema: { ...output } } } };
}

/** `openai`, over Chat Completions: nobody can come back to an answer, or decide on a call. */
export const chatCompletions: OfficialClient = {
  name: "openai (Chat Completions)",
  lacks: ["decision", "edit", "resume"],
  connect(url) {
    const { completions } = new OpenAI({ apiKey: "none", baseURL: `${url}/v1`, maxRetries: 0 }).chat;
    const streamOf = (question: Question): ReturnType<typeof completions.stream> =>
      completions.stream({ model, messages: messagesOf(question), ...formatOf(question) });
    return {
      // What was said before a call is a paragraph of its own.
      ask: async (question) => (await streamOf(question).finalContent())?.split("\n\n").at(-1) ?? "",
      askAndStop: async (question) => {
        const stream = streamOf(question);
        await new Promise((resolve) => stream.once("content", resolve));
        const aborted = new Promise((resolve) => stream.once("abort", resolve));
        stream.abort();
        await aborted;
      },
    };
  },
};
