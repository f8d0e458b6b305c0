import type { Model, ModelRequest } from "../../model/types.ts";
import { isPlainObject } from "../../base/util/json.ts";
import { endConversation } from "../simulated-user.ts";
import { type Move, playingModel } from "./playing-model.ts";

/** A judge that approves of everything; as a user, it says its goal and finds it met. For tests of evaluations without a network. */
export function perfectJudge(): Model {
  return playingModel("perfect judge", (request) => judgement(request, true));
}

/** A judge that approves of nothing; as a user, it says its goal and gives it up. */
export function wrongJudge(): Model {
  return playingModel("wrong judge", (request) => judgement(request, false));
}

function judgement(
  { output, tools = [], messages, instructions = "" }: ModelRequest,
  approves: boolean,
): Move {
  if (tools.some(({ name }) => name === endConversation.name)) {
    const hasSpoken = messages.some(({ role }) => role === "assistant");
    const end = { tool: endConversation.name, arguments: { outcome: approves ? "met" : "given-up" } };
    return hasSpoken ? [end] : instructions;
  }
  const properties = output?.schema["properties"];
  const answerSchema = isPlainObject(properties) ? properties["answer"] : undefined;
  const answers: unknown = isPlainObject(answerSchema) ? answerSchema["enum"] : undefined;
  const answer: unknown = Array.isArray(answers) ? answers.at(approves ? 0 : -1) : undefined;
  return JSON.stringify({ reason: "A stand-in says so.", answer });
}
