import type { JsonValue } from "../base/util/json.ts";
import type { ToolCall } from "../message/messages.ts";

/** A call as a person approved it. It is made once: what is called otherwise needs another approval. */
export class ApprovedCall<Outcome> {
  readonly #toolName: string;
  readonly #arguments: string;
  #outcome: Promise<Outcome> | undefined;
  /** The arguments that the person wrote in place of those shown. */
  readonly edited: string | undefined;
  /** The input that the person was shown, as plain JSON; `undefined` for arguments that the person wrote. */
  readonly visibleInput: JsonValue | undefined;

  constructor(
    call: ToolCall,
    {
      edited,
      visibleInput,
    }: { readonly edited?: string | undefined; readonly visibleInput?: JsonValue | undefined },
  ) {
    this.#toolName = call.toolName;
    this.#arguments = edited ?? call.arguments;
    this.edited = edited;
    this.visibleInput = visibleInput;
  }

  /** Whether the call was made. */
  get isUsed(): boolean {
    return this.#outcome !== undefined;
  }

  /** Whether the approval holds for a call. */
  covers({ toolName, arguments: text }: ToolCall): boolean {
    return toolName === this.#toolName && text === this.#arguments;
  }

  /** Makes the call the first time, and returns what came of it every time: a payment that is tried again is made once. */
  perform(make: () => Promise<Outcome>): Promise<Outcome> {
    return (this.#outcome ??= make());
  }
}

/** The most characters of edited arguments that a model is shown. */
const longestEdit = 2_000;

/** Tells the model that its tool was called with other arguments than it gave. */
export function editNote(edited: string): string {
  const excerpt = edited.length > longestEdit ? `${edited.slice(0, longestEdit)}…` : edited;
  return `Note: a person approved this call with other arguments: ${excerpt}`;
}
