import { readUIMessages, type UIMessagesRequest } from "../../protocols/ui-messages/read-ui-messages.ts";
import { toUIMessageResponse } from "../../protocols/ui-messages/to-ui-message-chunks.ts";
import type { UIMessage } from "../../protocols/ui-messages/ui-message.ts";
import { toUIMessages } from "../../protocols/ui-messages/to-ui-messages.ts";
import type { Call } from "../call.ts";
import type { Followed } from "../turn.ts";
import { beforeAnswer, withoutUnread } from "../history.ts";
import { answerOf, withoutOwnPauses } from "../one-leg.ts";
import { digestOf } from "../received.ts";
import { plainRefusal, Refusal } from "../refusal.ts";
import type { RouteHandler } from "../router.ts";
import { hasEnded, isWorking, type UserRun } from "../user-runs.ts";
import type { UserMessage } from "../../message/messages.ts";

/** `POST /chat/:agent`: what `useChat` sends. The id of the chat is the conversation. */
export const sendMessage: RouteHandler = {
  answer: async (call) => {
    const agent = call.agent(call.params["agent"] ?? "");
    const request = readUIMessages(await call.json());
    const { chatId: session, message, decisions, results } = request;
    if (session === undefined) throw new Refusal(400, "invalid-input", "id is missing: that of the chat.");
    const followed = await call.send({
      agent: agent.name,
      session,
      input: message ? [message] : [],
      decisions,
      results,
      isHistory: true,
      contents: message?.content,
      ...(message
        ? { id: await idOf(call, session, request, message) }
        : { answersId: await digestOf([session, request.assistantMessageId, decisions, results]) }),
    });
    return respond(call, followed, request);
  },
  refuse: plainRefusal,
};

/** `GET /chat/:agent/:chat/stream`: the answer that is under way, from its beginning, for a page that was loaded again; 204 if there is none. */
export const resumeStream: RouteHandler = {
  answer: async (call) => {
    const run = await workingRun(call);
    if (!run) return new Response(null, { status: 204 });
    const { events, onCancel } = wholeAnswer(call, run);
    return toUIMessageResponse(events, {
      show: call.show,
      messageId: run.id,
      ...call.streaming,
      onCancel,
    });
  },
  refuse: plainRefusal,
};

/** `POST /chat/:agent/:chat/stop`: ends the answer that is under way. */
export const stop: RouteHandler = {
  answer: async (call) => {
    call.agent(call.params["agent"] ?? "");
    const run = await call.runs.active(call.params["chat"] ?? "");
    return Response.json({ stopped: run ? await run.handle.cancel("The user has stopped it.") : false });
  },
  refuse: plainRefusal,
};

/**
 * `GET /chat/:agent/:chat`: the messages of a chat, for `useChat({ messages })`. Those of an answer that is under way are not among them: the
 * stream has them.
 */
export const readMessages: RouteHandler = {
  answer: async (call) => {
    call.agent(call.params["agent"] ?? "");
    const session = call.params["chat"] ?? "";
    const [latest] = await call.runs.inSession(session, 1);
    if (!latest) return Response.json({ id: session, messages: [], isWorking: false });
    const working = await workingRun(call);
    const { run, stored } = await call.run(working?.id ?? (await call.runs.active(session))?.id ?? latest.id);
    const state = await run.state();
    const complete = working ? beforeAnswer(state) : withoutUnread(state);
    const unread = working ? [] : state.unread;
    return Response.json({
      id: session,
      messages: [
        ...(hasEnded(stored)
          ? toUIMessages(complete, [], { show: call.show, isOpen: false })
          : withRunId(toUIMessages(complete, state.pending, { show: call.show }), run.id)),
        ...toUIMessages(unread, [], { messageId: (index) => `message-${complete.length + index}` }),
      ],
      isWorking: working !== undefined,
    });
  },
  refuse: plainRefusal,
};

/** The answer of a run that goes on has the run's id, as in the stream: it is steered by that. */
function withRunId(messages: readonly UIMessage[], id: string): readonly UIMessage[] {
  return messages.map((message, index) =>
    index === messages.length - 1 && message.role === "assistant" ? { ...message, id } : message,
  );
}

function respond(
  call: Call,
  { run, after, isContinued, pending }: Followed,
  request: UIMessagesRequest,
): Response {
  // One that is sent again reads all that has come of it, also where somebody else has decided meanwhile.
  const { events, onCancel } = isContinued ? answerOf(call, { run, after }) : wholeAnswer(call, run);
  const isContinuation = isContinued && pending.length > 0;
  return toUIMessageResponse(events, {
    show: call.show,
    ...messageIdOf(run, after, isContinuation, request),
    isContinuation,
    pending,
    ...call.streaming,
    onCancel,
  });
}

/** The answer of a run from its beginning, over all pauses that are behind it. */
function wholeAnswer(call: Call, run: UserRun): ReturnType<typeof answerOf> {
  const { events, onCancel } = call.follow({ run, after: -1 });
  return { events: withoutOwnPauses(events), onCancel };
}

/** The client's own id of a message that goes on; else the run's, so that a page that is loaded again gets the same. */
function messageIdOf(
  run: UserRun,
  after: number,
  isContinuation: boolean,
  { assistantMessageId }: UIMessagesRequest,
): { readonly messageId?: string } {
  if (!isContinuation) return { messageId: after < 0 ? run.id : `${run.id}-${after}` };
  return assistantMessageId === undefined ? {} : { messageId: assistantMessageId };
}

/**
 * The id of a run: the same message sent twice is one run. One that was edited, or is to be answered again, is another: the client then says which
 * message it puts in the place of which.
 */
async function idOf(
  call: Call,
  session: string,
  { trigger, messageId, userMessageId }: UIMessagesRequest,
  { content }: UserMessage,
): Promise<string> {
  const key = call.request.headers.get("idempotency-key");
  if (key !== null) return digestOf([session, { key }]);
  return digestOf([
    session,
    userMessageId,
    trigger,
    ...(messageId === undefined ? [] : [messageId, content]),
  ]);
}

async function workingRun(call: Call): Promise<UserRun | undefined> {
  call.agent(call.params["agent"] ?? "");
  const active = await call.runs.active(call.params["chat"] ?? "");
  if (!active) return undefined;
  const { stored } = await call.run(active.id);
  return isWorking(stored) ? active : undefined;
}
