import { type AgUiInput, fromAgUiInput } from "../../protocols/ag-ui/from-ag-ui-input.ts";
import { readResume } from "../../protocols/ag-ui/input-resume.ts";
import { readBody } from "../../protocols/kit/input-object.ts";
import { toAgUiResponse } from "../../protocols/ag-ui/to-ag-ui-events.ts";
import { toAgUiMessages } from "../../protocols/ag-ui/to-ag-ui-messages.ts";
import type { InputMessage } from "../../run/types.ts";
import type { Turn } from "../turn.ts";
import { withInput } from "../history.ts";
import { untilStop } from "../one-leg.ts";
import { digestOf } from "../received.ts";
import { plainRefusal } from "../refusal.ts";
import type { RouteHandler } from "../router.ts";
import { isWorking } from "../user-runs.ts";

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
      ...(await messageIdOf(agent.name, input)),
      ...(await resumeOf(body, input)),
      contents: input.message?.content,
      input: messagesOf(input),
      tools,
      decisions,
      results,
    });
    const { events, onCancel } = call.follow({ run, after });
    return toAgUiResponse(untilStop(events), {
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
    const [latest] = await call.runs.inSession(threadId, 1);
    if (!latest) return Response.json({ threadId, messages: [], pending: [], isWorking: false });
    const { run, stored } = await call.run((await call.runs.active(threadId))?.id ?? latest.id);
    const state = await run.state();
    return Response.json({
      threadId,
      messages: toAgUiMessages(withInput(state), { show: call.show }),
      pending: state.pending,
      isWorking: isWorking(stored),
    });
  },
  refuse: plainRefusal,
};

/**
 * Which message of the user it is, whatever the `runId` that it comes with: a client that sends it again does so with another. One that was edited
 * is another.
 */
async function messageIdOf(
  agent: string,
  { threadId, message, agUiMessages }: AgUiInput,
): Promise<{ readonly id?: string }> {
  const last = message && agUiMessages.findLast(({ role }) => role === "user");
  return last ? { id: await digestOf([agent, threadId, last.id, message.content]) } : {};
}

/** The answers of this request: what the messages have of results may be old. */
async function resumeOf(
  body: unknown,
  { runId, message, decisions, results }: AgUiInput,
): Promise<Pick<Turn, "resume">> {
  const resumed = readResume(readBody(body));
  const isNew = !message || resumed.decisions.length + resumed.results.length > 0;
  if (!isNew) return {};
  return { resume: { id: await digestOf([runId, decisions, results]), results: resumed.results } };
}

/** What is new: the user's message, behind what the page wants the model to know. */
function messagesOf({ message, context }: AgUiInput): readonly InputMessage[] {
  if (!message) return [];
  if (context.length === 0) return [message];
  const facts = context.map(({ description, value }) => `- ${description}: ${value}`).join("\n");
  return [{ role: "system", content: `About the page that the user is on:\n${facts}` }, message];
}
