import { printable } from "../text.ts";
import type { Editor } from "./editor.ts";

/** What a session tells its user that is not part of the conversation, each once. */
export class Notices {
  readonly #editor: Editor;
  readonly #log: (message: string) => void;
  readonly #warnings = new Set<string>();
  /** What the user does not know yet. */
  #first: string | undefined;

  /**
   * @param first - What the user should know before the first answer.
   * @param log - Writes a line to the log.
   */
  constructor(editor: Editor, first: string | undefined, log: (message: string) => void) {
    this.#editor = editor;
    this.#first = first;
    this.#log = log;
  }

  /** Says what the user should know, in the conversation if the editor has no place next to it. */
  begin(): void {
    const text = this.#first;
    this.#first = undefined;
    if (text === undefined || this.#editor.notice("info", text)) return;
    const content = { type: "text", text: `${text}\n\n` } as const;
    this.#editor.send({ sessionUpdate: "agent_message_chunk", content, messageId: crypto.randomUUID() });
  }

  /** Says what is waited for, as a thought if the editor has no place next to the conversation. */
  wait(message: string): void {
    this.#log(message);
    if (this.#editor.notice("info", message)) return;
    const content = { type: "text", text: `${printable(message)}\n\n` } as const;
    this.#editor.send({ sessionUpdate: "agent_thought_chunk", content, messageId: crypto.randomUUID() });
  }

  /** Reports what is wrong: each run says it again. */
  warn(message: string): void {
    if (this.#warnings.has(message)) return;
    this.#warnings.add(message);
    this.#log(message);
    this.#editor.notice("warning", message);
  }
}
