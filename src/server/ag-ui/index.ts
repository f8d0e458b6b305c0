import { isObject } from "../../base/util/json.ts";
import { sameJson } from "../../base/util/same-json.ts";
import {
  type AgUiInput,
  type AgUiUserMessage,
  fromAgUiInput,
} from "../../protocols/ag-ui/from-ag-ui-input.ts";
import { readResume } from "../../protocols/ag-ui/input-resume.ts";
import { readBody } from "../../protocols/kit/input-object.ts";
import { toAgUiResponse } from "../../protocols/ag-ui/to-ag-ui-events.ts";
import type { AgUiMessage } from "../../protocols/ag-ui/types.ts";
import { toAgUiMessages } from "../../protocols/ag-ui/to-ag-ui-messages.ts";
import type { InputMessage } from "../../run/types.ts";
import type { Turn } from "../turn.ts";
import { withInput } from "../history.ts";
import { answerOf } from "../one-leg.ts";
import { digestOf } from "../received.ts";
import { plainRefusal, Refusal } from "../refusal.ts";
import type { RouteHandler } from "../router.ts";
import type { Call } from "../call.ts";
import { type ClientState, isWorking } from "../user-runs.ts";

/** How many messages of the user a request may have that no answer follows: each of them is looked up. */
const mostNew = 200;

/** `POST /ag-ui/:agent`: what an AG-UI client sends. The thread is the conversation. */
export const runAgent: RouteHandler = {
  answer: async (call) => {
    const agent = call.agent(call.params["agent"] ?? "");
    const body = await call.json();
    const input = fromAgUiInput(body);
    const { threadId, runId, tools, decisions, results, agUiMessages } = input;
    const { run, after } = await call.send({
      agent: agent.name,
      session: threadId,
      clientId: runId,
      isTriedAgain: true,
      ...(await messageOf(call, agent.name, input)),
      ...(await answersOf(body, input)),
      contents: contentsOf(input.userMessages.at(-1)?.message),
      input: messagesOf(input),
      tools,
      decisions,
      results,
    });
    const { events, onCancel } = answerOf(call, { run, after });
    return toAgUiResponse(events, {
      threadId,
      runId,
      show: call.show,
      messages: agUiMessages,
      ...call.streaming,
      onCancel,
    });
  },
  refuse: plainRefusal,
};

/**
 * `GET /ag-ui/:agent/:thread`: a thread, for a page that is loaded again: `new HttpAgent({ initialMessages })`. What answers of a run that
 * works has so far is not in it.
 */
export const readThread: RouteHandler = {
  answer: async (call) => {
    call.agent(call.params["agent"] ?? "");
    const threadId = call.params["thread"] ?? "";
    const state = await latestState(call, threadId);
    if (!state) return Response.json({ threadId, messages: [], pending: [], isWorking: false });
    return Response.json({
      threadId,
      messages: toAgUiMessages(withInput(state), { show: call.show }),
      pending: state.pending,
      isWorking: state.isWorking,
    });
  },
  refuse: plainRefusal,
};

/** How a thread stands: the run that it goes on with, or its last one. */
async function latestState(
  call: Call,
  threadId: string,
): Promise<(ClientState & { readonly isWorking: boolean }) | undefined> {
  const [latest] = await call.runs.inSession(threadId, 1);
  if (!latest) return undefined;
  const { run, stored } = await call.run((await call.runs.active(threadId))?.id ?? latest.id);
  return { ...(await run.state()), isWorking: isWorking(stored) };
}

/**
 * Which message of the user it is, whatever the `runId` that it comes with: a client that sends it again does so with another. One that was edited
 * is another. Those before it come with it until there is an answer.
 */
async function messageOf(
  call: Call,
  agent: string,
  { threadId, userMessages }: AgUiInput,
): Promise<Pick<Turn, "id" | "earlier">> {
  const last = userMessages.at(-1);
  if (!last) return {};
  if (userMessages.length > mostNew)
    throw new Refusal(
      400,
      "invalid-input",
      `messages must have at most ${mostNew} messages of the user behind the last answer.`,
    );
  const thread = memoizeThread(call, threadId);
  const idOf = ({ id, message }: AgUiUserMessage): Promise<string> =>
    digestOf([agent, threadId, id, contentsOf(message)]);
  const key = call.request.headers.get("idempotency-key");
  const earlier = userMessages.slice(0, -1).map(async (each) => ({
    id: await idOf(each),
    message: each.message,
    isInHistory: async () => isAmong(await thread(), each),
  }));
  return {
    id: key === null ? await idOf(last) : await digestOf([threadId, { key }]),
    ...(earlier.length > 0 && { earlier: await Promise.all(earlier) }),
  };
}

/** The messages of a thread as a page reads them that is loaded again, read once. */
function memoizeThread(call: Call, threadId: string): () => Promise<readonly AgUiMessage[]> {
  let reading: Promise<readonly AgUiMessage[]> | undefined;
  const read = async (): Promise<readonly AgUiMessage[]> => {
    const state = await latestState(call, threadId);
    return state ? toAgUiMessages(withInput(state)) : [];
  };
  return () => (reading ??= read());
}

/** Whether a message has its id from the thread. */
function isAmong(messages: readonly AgUiMessage[], { id, message }: AgUiUserMessage): boolean {
  return messages.some(
    (each) => each.id === id && each.role === "user" && sameJson(contentsOf(each), contentsOf(message)),
  );
}

/** The answers of this request: what the messages have of results may be old. */
async function answersOf(
  body: unknown,
  { threadId, runId, message, decisions, results, agUiMessages }: AgUiInput,
): Promise<Pick<Turn, "resume" | "answersId">> {
  const resumed = readResume(readBody(body));
  const isNew = !message || resumed.decisions.length + resumed.results.length > 0;
  if (!isNew) return {};
  return {
    resume: { id: await digestOf([runId, decisions, results]), results: resumed.results },
    // A client that tries again has another run id, and no more messages.
    answersId: await digestOf([threadId, agUiMessages.length, decisions, results]),
  };
}

/** What a message says, however it is written. */
function contentsOf(message: { readonly content: unknown } | undefined): unknown {
  const content = message?.content;
  if (!Array.isArray(content) || content.length !== 1) return content;
  const [part]: readonly unknown[] = content;
  return isObject(part) && part["type"] === "text" ? part["text"] : content;
}

/** What is new: the user's message, behind what the page wants the model to know. */
function messagesOf({ userMessages, context }: AgUiInput): readonly InputMessage[] {
  const message = userMessages.at(-1)?.message;
  if (!message) return [];
  if (context.length === 0) return [message];
  const facts = context.map(({ description, value }) => `- ${description}: ${value}`).join("\n");
  return [{ role: "system", content: `About the page that the user is on:\n${facts}` }, message];
}
