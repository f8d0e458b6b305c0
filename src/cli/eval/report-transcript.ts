import type { Message, ToolCall } from "../../message/messages.ts";
import { cutText } from "../../base/util/cut-text.ts";
import { formatContent } from "../text.ts";
import { type Content, html } from "./html.ts";

/** The most characters of one text on the page. */
const longest = 20_000;

/** A conversation: who said what, what was called, and what came of it. */
export function transcript(messages: readonly Message[]): Content {
  return html`<ol class="talk">
    ${messages.map(entry)}
  </ol>`;
}

/** A value under a title, as JSON. */
export function data(title: string, value: unknown): Content {
  return html`<details>
    <summary>${title}</summary>
    <pre>${cut(JSON.stringify(value, undefined, 2) ?? "")}</pre>
  </details> `;
}

function entry(message: Message): Content {
  switch (message.role) {
    case "tool": {
      const { toolName, content, isError, outcome } = message.result;
      const mark = isError ? html` <small>${outcome}</small>` : "";
      return html`<li class="tool${isError ? " worse" : ""}">
        <b>${toolName} →</b>${mark}
        <pre>${cut(formatContent(content))}</pre>
      </li> `;
    }
    case "assistant": {
      const text = message.content.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n");
      return html`<li class="assistant">
        <b>${message.agent ?? "assistant"}</b
        >${text === "" ? "" : html`<pre>${cut(text)}</pre>`}${message.toolCalls.map(call)}
      </li> `;
    }
    case "user":
    case "system": {
      const { role, content } = message;
      return html`<li class="${role}">
        <b>${role}</b>
        <pre>${cut(typeof content === "string" ? content : formatContent(content))}</pre>
      </li> `;
    }
  }
}

function call({ toolName, arguments: raw }: ToolCall): Content {
  return html`<pre class="call">${toolName}(${cut(raw)})</pre>`;
}

function cut(text: string): string {
  return cutText(text, longest);
}
