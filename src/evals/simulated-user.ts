import type { Message } from "../message/messages.ts";
import type { Model } from "../model/types.ts";
import { generate } from "../run/generate.ts";
import { tool } from "../tool/define.ts";
import type { Tool } from "../tool/types.ts";
import { isPlainObject } from "../base/util/json.ts";
import { modelOfEnvironment } from "./ask-judge.ts";
import { parseJson } from "./read-json.ts";
import type { GoalOutcome, SimulatedUser, UserGoal, UserTurn } from "./types.ts";

/** Somebody who talks with the agent. */
export interface Speaker {
  /** The user's next message; `undefined` if the conversation is over. */
  next(turn: UserTurn): Promise<string | undefined>;
  /** How it ended, for somebody with a goal. */
  goal(): GoalOutcome | undefined;
}

/** A simulated user, ready to talk. `judge` plays the users that have a goal and no model. */
export function speaker(user: SimulatedUser | undefined, judge: Model | string | undefined): Speaker {
  if (user === undefined) return fromFunction(() => undefined);
  // An empty text is nothing: sent as a message, it could go on for ever.
  if (typeof user === "function") return fromFunction(async (turn) => (await user(turn)) || undefined);
  if ("goal" in user) return withGoal(user, judge);
  const lines = [...user];
  return fromFunction(() => lines.shift());
}

function fromFunction(say: (turn: UserTurn) => string | undefined | Promise<string | undefined>): Speaker {
  return { next: async (turn) => say(turn), goal: () => undefined };
}

/** What a model that plays a user calls at the end. */
export const endConversation: Tool = tool({
  name: "end_conversation",
  description: "Ends the conversation: your goal is met, or you give it up.",
  input: {
    type: "object",
    properties: { outcome: { enum: ["met", "given-up"] }, reason: { type: "string" } },
    required: ["outcome"],
    additionalProperties: false,
  },
});

function withGoal(user: UserGoal, judge: Model | string | undefined): Speaker {
  const { maxMessages = 10 } = user;
  let outcome: GoalOutcome | undefined;
  let messageCount = 0;
  return {
    goal: () => outcome,
    async next({ messages, signal }) {
      if (messageCount >= maxMessages) {
        outcome = "given-up";
        return undefined;
      }
      const { text, toolCalls } = await generate(user.model ?? judge ?? (await modelOfEnvironment()), {
        instructions: instructionsFor(user),
        messages: [{ role: "user", content: "(The conversation begins.)" }, ...seenByUser(messages)],
        tools: [endConversation],
        ...(signal && { signal }),
      });
      const end = toolCalls.find(({ toolName }) => toolName === endConversation.name);
      if (end || text.trim() === "") {
        const ending = end && parseJson(end.arguments);
        outcome = isPlainObject(ending) && ending["outcome"] === "met" ? "met" : "given-up";
        return undefined;
      }
      messageCount += 1;
      return text;
    },
  };
}

function instructionsFor({ goal, persona }: UserGoal): string {
  return [
    "You play a customer who talks with an assistant. Each of your answers is what the customer says next, and nothing else.",
    "Say only what is needed next, in a sentence or two, and invent no facts beyond these.",
    `Your goal: ${goal}`,
    ...(persona === undefined ? [] : [`Who you are: ${persona}`]),
    `Call ${endConversation.name} once the assistant has done what you want, or once it is clear that it will not.`,
  ].join("\n");
}

/** The conversation from the other side: the model that plays is the assistant, whom the agent answers. */
function seenByUser(messages: readonly Message[]): Message[] {
  return messages.flatMap((message): Message[] => {
    if (message.role === "user")
      return [{ role: "assistant", content: textParts(message.content), toolCalls: [] }];
    if (message.role !== "assistant") return [];
    const content = textParts(message.content);
    return content.length === 0 ? [] : [{ role: "user", content }];
  });
}

function textParts(
  content: string | readonly { readonly type: string; readonly text?: string }[],
): { type: "text"; text: string }[] {
  if (typeof content === "string") return [{ type: "text", text: content }];
  return content.flatMap(({ type, text }) => (type === "text" && text ? [{ type, text }] : []));
}
