import type { StoredEvent } from "../../durable/stored-event.ts";
import type { RunInfo, RunWait } from "../../durable/types.ts";
import type { Message } from "../../message/messages.ts";
import type { PendingCall } from "../../message/run-state.ts";
import { sleepsUntil, tokenOf } from "../../message/waits.ts";
import { exactText } from "../../base/util/exact-text.ts";
import { formatArguments, formatContent, quoteName, type Screen, shorten } from "../text.ts";

/** A run on one line. */
export function describeRun(run: RunInfo, { columns }: Screen): string {
  const { id, agent, status, session, parent, updatedAt, at, attempts } = run;
  const details = [
    agent,
    ...(session === undefined ? [] : [`in ${quoteName(session)}`]),
    ...(parent === undefined ? [] : [`for ${quoteName(parent)}`]),
    ...(at ? [`begins ${at.toISOString()}`] : [updatedAt.toISOString()]),
    ...(attempts > 1 ? [`${attempts} attempts`] : []),
  ];
  return `${status.padEnd(9)} ${shorten(`${quoteName(id)} ${details.join(", ")}`, columns - 10)}`;
}

/** A message on a line or more. */
export function describeMessage(message: Message, { columns }: Screen): readonly string[] {
  switch (message.role) {
    case "system":
    case "user": {
      const { content } = message;
      return [
        shorten(
          `${message.role}: ${typeof content === "string" ? content : formatContent(content)}`,
          columns,
        ),
      ];
    }
    case "assistant": {
      const text = message.content.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("");
      const speaker = message.agent ?? "assistant";
      return [
        ...(text === "" ? [] : [shorten(`${speaker}: ${text}`, columns)]),
        ...message.toolCalls.map(({ toolName, arguments: text }) =>
          shorten(`${speaker} calls ${quoteName(toolName)}(${exactText(formatArguments(text))})`, columns),
        ),
      ];
    }
    case "tool": {
      const { toolName, content, outcome } = message.result;
      return [shorten(`${toolName} (${outcome}): ${formatContent(content)}`, columns)];
    }
  }
}

/** A run that another one waits for. */
export function describeRunWait({ id, toolCallId }: RunWait): string {
  return `${quoteName(toolCallId)} waits for the run ${quoteName(id)}`;
}

/** A call, whole and with what the tool would get: a person decides on it. Or what it waits for by itself. */
export function describeCall(call: PendingCall): string {
  const { toolCallId, toolName, arguments: text, input, approvalId, parentToolCallId = "" } = call;
  const until = sleepsUntil(call);
  if (until !== undefined)
    return `${quoteName(parentToolCallId)} sleeps until ${new Date(until).toISOString()}  for a result of ${quoteName(toolCallId)}`;
  const token = tokenOf(call);
  if (token !== undefined) return `${quoteName(parentToolCallId)}  for a result of ${quoteName(token)}`;
  const id = approvalId === undefined ? `  for a result of ${quoteName(toolCallId)}` : `  [${approvalId}]`;
  const args = formatArguments(input === undefined ? text : JSON.stringify(input));
  return `${quoteName(toolName)}(${exactText(args)})${id}`;
}

/** An event on a line; `undefined` for pieces of an answer, of which there are many. */
export function describeEvent(event: StoredEvent): string | undefined {
  if (event.type.endsWith("-delta")) return undefined;
  const { type, index, agent, ...details } = event;
  const text = JSON.stringify(details);
  return `${index} ${agent}: ${type}${text === "{}" ? "" : ` ${text.length > 200 ? `${text.slice(0, 200)}…` : text}`}`;
}
