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
  /** The calls that have ended. */
  readonly #ended = new EarlierCalls<true>();
  /** The calls without their ids, each with the list in which it came. */
  readonly #lists = new EarlierCalls<number | undefined>();

  /** @param usedIds - The ids of the calls in the history: the answer's calls must have other ids. */
  constructor(builder: GenerationBuilder, usedIds: ReadonlySet<string>) {
    this.#builder = builder;
    this.#ids = new UniqueIds(usedIds);
  }

  /** Begins a call, and returns its id in the history. */
  start(key: string | number, wireId: string, toolName: string, providerData?: ProviderData): string {
    const toolCallId = this.#ids.claim(wireId);
    const originalId = wireId === "" || wireId === toolCallId ? undefined : wireId;
    this.#builder.startToolCall(key, toolCallId, toolName, providerData, originalId);
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
    const earlier = this.#lists.note({ wireId: "", toolName }, input, list);
    return earlier !== undefined && (list === undefined || earlier.note !== list);
  }

  /** Takes back a call that turned out to be none, such as one that the server has executed. */
  drop(key: string | number): void {
    this.#open.delete(key);
    this.#builder.dropToolCall(key);
  }

  #isRepeated(call: NamedCall, input: string): boolean {
    return this.#ended.note(call, input, true) !== undefined && call.wireId !== "";
  }
}

/** A call, and what is noted of it. */
interface NotedCall<T> {
  readonly call: NamedCall;
  readonly input: string;
  readonly note: T;
}

/** Finds calls with the same id, tool and arguments. Of the only call of an answer no text is made: its arguments may be long. */
class EarlierCalls<T> {
  #first: NotedCall<T> | undefined;
  readonly #byText = new Map<string, NotedCall<T>>();

  /** Notes a call, and returns the last equal one before it. */
  note(call: NamedCall, input: string, note: T): NotedCall<T> | undefined {
    const latest = { call, input, note };
    if (!this.#first) {
      this.#first = latest;
      return undefined;
    }
    const { call: firstCall, input: firstInput } = this.#first;
    if (this.#byText.size === 0) this.#byText.set(textOf(firstCall, firstInput), this.#first);
    const text = textOf(call, input);
    const earlier = this.#byText.get(text);
    this.#byText.set(text, latest);
    return earlier;
  }
}

function textOf({ wireId, toolName }: NamedCall, input: string): string {
  return JSON.stringify([wireId, toolName, canonicalArguments(input) ?? input]);
}

/** What is wrong with calls that may be one: nothing says whether they are to be executed once or twice. */
export const repeatedCall = "repeated a call without saying whether it is the same one.";
