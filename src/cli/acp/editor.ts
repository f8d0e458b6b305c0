import type {
  AgentContext,
  ClientCapabilities,
  RequestPermissionRequest,
  RequestPermissionResponse,
  SessionUpdate,
} from "@agentclientprotocol/sdk";
import { shorten } from "../text.ts";

/** The widest title of a notice, in columns. */
const widestTitle = 200;

/** What a session sends to the editor, and asks it. */
export interface Editor {
  send(update: SessionUpdate): void;
  /** @throws what the request fails with, also once the signal is aborted. */
  ask(
    request: Omit<RequestPermissionRequest, "sessionId">,
    signal: AbortSignal,
  ): Promise<RequestPermissionResponse>;
  /** How the editor can ask its user on behalf of a server. */
  readonly questions: { readonly form: boolean; readonly url: boolean };
  /**
   * Asks such a question.
   * @throws what the request fails with, also once the signal is aborted.
   */
  readonly elicit: (question: Readonly<Record<string, unknown>>, signal: AbortSignal) => Promise<unknown>;
  /** Tells the user something that is not part of the conversation, where the editor can show it. Whether it can. */
  notice(severity: "info" | "warning", text: string): boolean;
}

/** The editor as one session sees it. */
export function editorOf(
  client: AgentContext,
  { session, elicitation }: ClientCapabilities,
  sessionId: string,
): Editor {
  const send = (update: SessionUpdate): void =>
    // A connection that has ended stops the sessions by itself.
    void client.notify("session/update", { sessionId, update }).catch(() => {});
  return {
    send,
    ask: (request, cancellationSignal) =>
      client.request(
        "session/request_permission",
        { ...request, sessionId },
        { cancellationSignal, stopWaitingOnCancel: true },
      ),
    questions: { form: Boolean(elicitation?.form), url: Boolean(elicitation?.url) },
    elicit: (question, cancellationSignal) =>
      client.request<unknown>(
        "elicitation/create",
        { ...question, sessionId },
        { cancellationSignal, stopWaitingOnCancel: true },
      ),
    notice: (severity, text) => {
      if (!session?.notices) return false;
      const title = shorten(text, widestTitle);
      send({ sessionUpdate: "notice", severity, title, ...(title !== text && { description: text }) });
      return true;
    },
  };
}
