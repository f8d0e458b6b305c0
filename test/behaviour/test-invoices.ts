/** What the tests of typed output ask for. */
import { type JsonSchema, type Message, type Tool, tool } from "skein";
import { ScriptedModel, type ScriptedTurn } from "skein/testing";

/** What a company asks to be paid. */
export interface Invoice {
  readonly number: string;
  /** In euros. @minimum 0 */
  readonly total: number;
  readonly due?: Date;
}

export const question = "What does the invoice say?";
export const invoice: { readonly number: string; readonly total: number } = { number: "R-7", total: 12.5 };
export const jsonSchema: JsonSchema = {
  type: "object",
  properties: { number: { type: "string" }, total: { type: "number", minimum: 0 } },
  required: ["number", "total"],
  additionalProperties: false,
};

export const ping: Tool<Record<string, unknown>> = tool({
  name: "ping",
  input: { type: "object" },
  execute: () => "pong",
});
export const callPing: ScriptedTurn = { toolCalls: [{ toolName: "ping" }] };

/** All that the model was told. */
export function textsOf(messages: readonly Message[]): string {
  return messages
    .flatMap((message) => {
      if (message.role !== "tool") return [typeof message.content === "string" ? message.content : ""];
      return message.result.content.map((part) => (part.type === "text" ? part.text : ""));
    })
    .join("\n");
}

/** A model that gives its answers to the tool that takes them. */
export function answering(...answers: (object | string)[]): ScriptedModel {
  return new ScriptedModel(
    answers.map((answer) => ({
      toolCalls: [
        { toolName: "final_answer", arguments: typeof answer === "string" ? answer : { ...answer } },
      ],
    })),
  );
}
