import { assertKnownOptions } from "../../base/options/known-options.ts";

/** What of a run is sent to a client. Its context, its state, errors' stacks and what providers say of errors never are. */
export interface ShowOptions {
  /** What models write before they answer; `true` by default. */
  readonly reasoning?: boolean;
  /** The calls of tools, with their arguments; `true` by default. Calls that the client is to decide on or execute are always sent. */
  readonly toolCalls?: boolean;
  /** What tools return, as the model sees it; as `toolCalls` by default. */
  readonly toolResults?: boolean;
  /** The words of errors that tools throw; `false` by default: a sentence takes their place. */
  readonly toolErrors?: boolean;
}

const names: Readonly<Record<keyof ShowOptions, true>> = {
  reasoning: true,
  toolCalls: true,
  toolResults: true,
  toolErrors: true,
};

/**
 * The options with their defaults.
 * @param place - The function that they are given to, for errors.
 */
export function checkedShow(show: ShowOptions = {}, place: string): Required<ShowOptions> {
  assertKnownOptions(show, names, `show of ${place}`);
  const { reasoning = true, toolCalls = true, toolResults = toolCalls, toolErrors = false } = show;
  return { reasoning, toolCalls, toolResults: toolResults && toolCalls, toolErrors };
}
