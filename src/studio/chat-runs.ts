import { InvalidInputError } from "../errors.ts";
import type { Message, UserMessage } from "../message/messages.ts";
import type { InputObject } from "../protocols/kit/input-object.ts";
import { readUserMessage } from "../server/input.ts";
import { notFound, Refusal } from "../server/refusal.ts";
import type { Authorized, SkeinServer } from "../server/types.ts";
import type { ChatChoices } from "./chat-choices.ts";
import { textOfUser } from "./user-text.ts";
import type { StudioToken } from "./token.ts";

/** Whose the runs of the chat are: the store has their ids behind it. */
const user = "studio";
const prefix = `${user}/`;

/** Lets the page in, with the model and the context that it has chosen. @throws Refusal (401, 409) */
export function authorizeChat(request: Request, token: StudioToken, choices: ChatChoices): Authorized {
  token.check(request);
  return { user, ...choices.ofStart(request) };
}

/** Under which id the store has a run of the chat. */
export function storedId(id: string): string {
  return prefix + id;
}

/** The conversation of a run of the chat: the page names its runs `<conversation>.<number>`. */
export function sessionOfRun(runId: string): string | undefined {
  return /^studio\/(.+)\.[^.]+$/.exec(runId)?.[1];
}

/**
 * Starts a run with what was said before another one, and a message instead of that one's: a branch of the conversation.
 * @returns the id of the run.
 * @throws Refusal (400, 404, 409)
 */
export async function branch(served: SkeinServer, choices: ChatChoices, body: InputObject): Promise<string> {
  const instead = required(body, "instead");
  const id = required(body, "id");
  const state = await served.runs.get(storedId(instead)).state();
  const [first] = state.input;
  const from = state.messages.findLastIndex((message) => isSameQuestion(message, first));
  if (from < 0) throw notFound(`The message of the run "${instead.slice(0, 100)}"`);
  const message = readUserMessage(body.get("message"), "message");
  const handle = await served.runs.start(
    required(body, "agent"),
    [...state.messages.slice(0, from), message],
    {
      id: storedId(id),
      session: storedId(required(body, "session")),
      ...choices.get(body.optionalText("choice")),
    },
  );
  if (!handle.isNew) throw new InvalidInputError("The id is that of another run.");
  return id;
}

function isSameQuestion(message: Message, question: Message | undefined): boolean {
  return question?.role === "user" && message.role === "user" && textOf(message) === textOf(question);
}

function textOf(message: UserMessage): string {
  return textOfUser(message);
}

function required(body: InputObject, name: string): string {
  const value = body.optionalText(name);
  if (value !== undefined && /^[\s\S]{1,200}$/.test(value)) return value;
  throw new Refusal(400, "invalid-input", `${name} must be a text of 1 to 200 characters.`);
}
