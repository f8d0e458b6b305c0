import { UniqueIds } from "../../message/unique-ids.ts";
import type { ProviderData } from "../../message/parts.ts";
import type { GenerationBuilder } from "../../model/generation-builder.ts";
import type { ModelEvent } from "../../model/types.ts";
import { canonicalArguments } from "./compare-arguments.ts";

/** A call as its server named it. */
interface NamedCall {
  /** The server's own id, which several calls of an answer may share. */
  readonly wireId: string;
  readonly toolName: string;
}

/**
 * The calls of one answer. Each gets an id of its own, and one that the server sends again (with the same id, tool and arguments)
 * is left out: it is executed once.
 */
export class AnswerCalls {
  readonly #builder: GenerationBuilder;
  readonly #open = new Map<string | number, NamedCall>();
  readonly #ids: UniqueIds;
  /** The calls that have ended, each as a text. */
  readonly #ended = new Set<string>();
  /** The calls without their ids, each with the list in which it came. */
  readonly #lists = new Map<string, number | undefined>();

  /** @param usedIds - The ids of the calls in the history: the answer's calls must have other ids. */
  constructor(builder: GenerationBuilder, usedIds: ReadonlySet<string>) {
    this.#builder = builder;
    this.#ids = new UniqueIds(usedIds);
  }

  /** Begins a call, and returns its id in the history. */
  start(key: string | number, wireId: string, toolName: string, providerData?: ProviderData): string {
    const toolCallId = this.#ids.claim(wireId);
    this.#builder.startToolCall(key, toolCallId, toolName, providerData);
    this.#open.set(key, { wireId, toolName });
    return toolCallId;
  }

  /** Ends a call, with the arguments where the server states them whole at the end. No event for one that came before. */
  end(key: string | number, finalArguments?: string): ModelEvent[] {
    const call = this.#open.get(key);
    const input = finalArguments ?? this.#builder.toolInputSoFar(key);
    if (call && this.#isRepeated(call, input)) {
      this.drop(key);
      return [];
    }
    this.#open.delete(key);
    return [this.#builder.endToolCall(key, finalArguments)];
  }

  /**
   * Whether a call may be one that came before: equal calls are certain to be two only within one list.
   * @param list - Numbers what the call came in. Undefined for one that is certain of nothing.
   */
  mayRepeat(toolName: string, input: string, list: number | undefined): boolean {
    const text = textOf({ wireId: "", toolName }, input);
    const isFirst = !this.#lists.has(text);
    const isListed = list !== undefined && this.#lists.get(text) === list;
    this.#lists.set(text, list);
    return !isFirst && !isListed;
  }

  /** Takes back a call that turned out to be none, such as one that the server has executed. */
  drop(key: string | number): void {
    this.#open.delete(key);
    this.#builder.dropToolCall(key);
  }

  #isRepeated(call: NamedCall, input: string): boolean {
    const text = textOf(call, input);
    const isRepeated = this.#ended.has(text);
    this.#ended.add(text);
    return isRepeated && call.wireId !== "";
  }
}

function textOf({ wireId, toolName }: NamedCall, input: string): string {
  return JSON.stringify([wireId, toolName, canonicalArguments(input) ?? input]);
}

/** What is wrong with calls that may be one: nothing says whether they are to be executed once or twice. */
export const repeatedCall = "repeated a call without saying whether it is the same one.";
