import OpenAI from "openai";
import type { OfficialClient, Question } from "./client.ts";

const model = "desk";

function inputOf({ text, image }: Question): OpenAI.Responses.ResponseInput {
  const url = `data:image/png;base64,${image}`;
  return [
    {
      role: "user",
      content: [
        { type: "input_text", text },
        ...(image === undefined
          ? []
          : [{ type: "input_image" as const, image_url: url, detail: "auto" as const }]),
      ],
    },
  ];
}

function formatOf({ output }: Question): Pick<OpenAI.Responses.ResponseCreateParams, "text"> {
  if (!output) return {};
  return { text: { format: { type: "json_schema", name: "answer", schema: { ...output } } } };
}

/** The last text of a response: those before calls are items of their own. */
function lastText({ output, status, error }: OpenAI.Responses.Response): string {
  if (status === "failed") throw new Error(`failed: ${error?.code}`);
  const texts = output.flatMap((item) => (item.type === "message" ? item.content : []));
  return texts.map((part) => (part.type === "output_text" ? part.text : "")).at(-1) ?? "";
}

/** `openai`, over Responses: a decision cannot change arguments. */
export const responses: OfficialClient = {
  name: "openai (Responses)",
  lacks: ["edit"],
  connect(url) {
    const client = new OpenAI({ apiKey: "none", baseURL: `${url}/v1`, maxRetries: 0 }).responses;
    const begin = (question: Question) =>
      client.create({ model, stream: true, input: inputOf(question), ...formatOf(question) });
    return {
      ask: async (question) => {
        const first = await client
          .stream({ model, input: inputOf(question), ...formatOf(question) })
          .finalResponse();
        const waiting = first.output.find(({ type }) => type === "mcp_approval_request");
        if (!waiting?.id) return lastText(first);
        const answer = {
          type: "mcp_approval_response" as const,
          approval_request_id: waiting.id,
          approve: question.verdict === "approve",
        };
        const next = client.stream({ model, previous_response_id: first.id, input: [answer] });
        return lastText(await next.finalResponse());
      },
      askAndLoseConnection: async (question, goOn) => {
        let id = "";
        let last = -1;
        let text = "";
        for await (const event of await begin(question)) {
          last = event.sequence_number;
          if (event.type === "response.created") ({ id } = event.response);
          if (event.type !== "response.output_text.delta") continue;
          text += event.delta;
          break;
        }
        goOn();
        for await (const event of await client.retrieve(id, { stream: true, starting_after: last }))
          if (event.type === "response.output_text.delta") text += event.delta;
        return text;
      },
      askAndStop: async (question) => {
        let id = "";
        for await (const event of await begin(question)) {
          if (event.type === "response.created") ({ id } = event.response);
          if (event.type === "response.output_text.delta") break;
        }
        await client.cancel(id);
      },
    };
  },
};
