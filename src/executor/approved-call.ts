import type { JsonValue } from "../base/util/json.ts";
import type { ToolCall } from "../message/messages.ts";
import type { Tool } from "../tool/types.ts";

/** A call as a person approved it. It is made once: what is called otherwise needs another approval. */
export class ApprovedCall<Outcome> {
  /** The call that it holds for. */
  readonly call: ToolCall;
  #outcome: Promise<Outcome> | undefined;
  #isUsed = false;
  /** The call with the arguments that the person wrote in place of those shown. A middleware may have changed it since. */
  readonly edited: ToolCall | undefined;
  /** The input that the person was shown, as plain JSON; `undefined` for arguments that nobody has been shown. */
  readonly visibleInput: JsonValue | undefined;
  readonly #writtenName: string | undefined;
  /** The call of the tool as middlewares wrote it first. */
  #first: ToolCall | undefined;

  /** @param options.writtenName - The name that the model or a tool wrote, which may have led to the tool of the call. */
  constructor(
    call: ToolCall,
    {
      edited,
      visibleInput,
      writtenName,
    }: Partial<Pick<ApprovedCall<Outcome>, "edited" | "visibleInput">> & {
      readonly writtenName?: string;
    },
  ) {
    this.call = call;
    this.edited = edited;
    this.visibleInput = visibleInput;
    this.#writtenName = writtenName;
  }

  /** Whether the call was made. */
  get isUsed(): boolean {
    return this.#isUsed;
  }

  /** Whether the name that was written leads to another tool by now than to the one that a person was shown. */
  leadsElsewhere({ toolName }: ToolCall, tool: Pick<Tool, "name">): boolean {
    return !this.isUsed && toolName === this.#writtenName && tool.name !== this.call.toolName;
  }

  /** Whether a call would execute arguments in place of those that the person wrote, which nobody has seen. */
  isUnseen({ toolName }: ToolCall): boolean {
    return this.edited !== undefined && !this.isUsed && toolName === this.call.toolName;
  }

  /**
   * A call as middlewares have it now: the first with the arguments that were permitted, whatever they write in each time; a further one
   * with other arguments is another call. What a person wrote has not been through them yet.
   */
  asPermitted(call: ToolCall): ToolCall {
    if (this.call === this.edited || call.toolName !== this.call.toolName) return call;
    this.#first ??= call;
    return call.arguments === this.#first.arguments ? this.call : call;
  }

  /** Whether middlewares made another call of the tool beside the first. */
  isAnother({ toolName, arguments: text }: ToolCall): boolean {
    return this.#first !== undefined && toolName === this.call.toolName && text !== this.call.arguments;
  }

  /** Makes the call the first time, and returns what came of it every time: a payment that is tried again is made once. */
  perform(make: () => Promise<Outcome>): Promise<Outcome> {
    // Before what is within it looks at that, at once: it would wait for itself.
    this.#isUsed = true;
    return (this.#outcome ??= make());
  }
}

/** The most characters of edited arguments that a model is shown. */
const longestEdit = 2_000;

/** Tells the model that its tool was called with other arguments than it gave. */
export function editNote({ arguments: edited }: Pick<ToolCall, "arguments">): string {
  const excerpt = edited.length > longestEdit ? `${edited.slice(0, longestEdit)}…` : edited;
  return `Note: a person approved this call with other arguments: ${excerpt}`;
}
