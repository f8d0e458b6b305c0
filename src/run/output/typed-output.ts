import type { Message, ToolCall, ToolResult } from "../../message/messages.ts";
import { notExecuted } from "../../message/unanswered-calls.ts";
import type { Model, ModelEvent, ModelRequest } from "../../model/types.ts";
import { invalidArgumentsMessage, invalidOutputMessage, kindOfIssue } from "../../schema/feedback.ts";
import type { Issue, Validation } from "../../schema/types.ts";
import { PartialJson } from "../../base/stream/partial-json.ts";
import type { Output } from "../../tool/output.ts";
import type { ToolTable } from "../../tool/table.ts";
import { emit, hasListeners, warn } from "../events/emit.ts";
import type { ActiveRun } from "../state/active-run.ts";
import type { OutputCollector, TurnEnd } from "../turn/turn.ts";
import { goOn, stop, type Next } from "../state/outcome.ts";
import { OutputDelta } from "./output-delta.ts";
import { areEqual, isNative, outputFormat, type OutputFormat, withOutput } from "./output-format.ts";

const defaultMaxCorrections = 3;

/** What was wrong with the answers just before, newest first. */
type Mistakes = (readonly Issue[])[];

/** What has come of an output, and the id of its call; of one that is text, an empty one. */
interface ComingOutput {
  readonly id: string;
  readonly json: PartialJson;
}

const memoryKey = Symbol("output");

/**
 * Makes the answers of one turn match the output schema.
 * @throws SchemaNotFoundError, ConfigurationError
 */
export async function outputCollector(
  run: ActiveRun,
  toolTable: ToolTable,
  output: Output,
): Promise<OutputCollector> {
  const place = run.config.options.output ? "run()" : `the agent ${run.agent.name}`;
  const format = await outputFormat(output, `the output of ${place}`, (name) => toolTable.has(name));
  for (const warning of format.warnings) warn(run, warning);
  return new TypedOutput(run, format);
}

class TypedOutput implements OutputCollector {
  readonly #run: ActiveRun;
  readonly #format: OutputFormat;
  readonly #mistakes: Mistakes;
  readonly #outputs = new Map<string, Promise<Validation<unknown>>>();
  #isNative = false;
  #coming: ComingOutput | undefined;

  constructor(run: ActiveRun, format: OutputFormat) {
    this.#run = run;
    this.#format = format;
    const stored = run.config.memory.get(memoryKey);
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- nothing else is kept under this symbol
    this.#mistakes = stored ? (stored as Mistakes) : earlierMistakes(run, format.tool.name);
    run.config.memory.set(memoryKey, this.#mistakes);
  }

  get toolName(): string {
    return this.#format.tool.name;
  }

  prepare(model: Model, request: ModelRequest): ModelRequest {
    this.#isNative = isNative(model, this.#format);
    return withOutput(model, request, this.#format);
  }

  onEvent(event: ModelEvent): boolean {
    const isCall = event.type === "tool-input-delta" && event.toolName === this.#format.tool.name;
    if (!hasListeners(this.#run) || !(isCall || (event.type === "text-delta" && this.#isNative)))
      return false;
    const { text } = event;
    const agent = this.#run.agent.name;
    if (!isCall) emit(this.#run, { type: "text-delta", agent, text });
    const id = isCall ? event.toolCallId : "";
    const { json } = this.#coming?.id === id ? this.#coming : this.#begin(id);
    json.push(text);
    emit(this.#run, new OutputDelta(agent, text, json, this.#format.isWrapped));
    return true;
  }

  /** Begins to read an output: one that is text goes on where its provider paused. */
  #begin(id: string): ComingOutput {
    const json = new PartialJson();
    if (id === "") json.push(this.#run.textBefore);
    return (this.#coming = { id, json });
  }

  async collect(): Promise<TurnEnd> {
    const { conversation, lastAnswer } = this.#run;
    const toolName = this.#format.tool.name;
    if (conversation.pending.length === 0)
      return { results: [], next: await this.#collectText(lastAnswer.text) };
    const finals = conversation.pending.filter((call) => call.toolName === toolName);
    // An answer that did not wait for what it asked for cannot be the last word.
    const isLast = finals.length === conversation.pending.length;
    const only = isLast && areEqual(finals) ? finals[0] : undefined;
    if (!isLast) this.#mistakes.length = 0;
    const collected = only && (await this.#collectCall(only));
    const results = collected ? [collected.result] : [];
    for (const call of finals)
      if (call !== only)
        results.push(notExecuted(call, "call it alone, and once, when all other calls have their results."));
    conversation.answer(results);
    if (isLast && !only) return { results, next: this.#correct([]).next };
    return { results, next: collected?.next ?? goOn };
  }

  read(text: string): Promise<Validation<unknown>> {
    const earlier = this.#outputs.get(text);
    if (earlier) return earlier;
    const output = Promise.resolve(this.#run.config.scope.race(this.#format.parse(text)));
    this.#outputs.set(text, output);
    return output;
  }

  async parse(text: string): Promise<unknown> {
    const parsed = await this.read(text);
    if (parsed.ok) return parsed.value;
    warn(
      this.#run,
      "The text that the run ended with does not match the output schema: its output is undefined.",
    );
    return undefined;
  }

  async #collectText(text: string): Promise<Next> {
    const parsed = await this.read(text);
    if (parsed.ok) return this.#accept(text, parsed.value);
    const toolName = this.#isNative ? undefined : this.#format.tool.name;
    const { earlier, next } = this.#correct(parsed.issues);
    const content = invalidOutputMessage(parsed.issues, text, earlier, toolName);
    this.#run.conversation.append({ role: "user", content, correction: true });
    return next;
  }

  async #collectCall({
    toolCallId,
    toolName,
    arguments: raw,
  }: ToolCall): Promise<{ readonly result: ToolResult; readonly next: Next }> {
    const parsed = await this.read(raw);
    const answer = { toolCallId, toolName };
    if (parsed.ok) {
      const content = [{ type: "text", text: "The answer was accepted." } as const];
      const next = this.#accept(raw, parsed.value);
      return { result: { ...answer, content, isError: false, outcome: "success" }, next };
    }
    const { earlier, next } = this.#correct(parsed.issues);
    const text = invalidArgumentsMessage(toolName, parsed.issues, raw, earlier);
    const content = [{ type: "text", text } as const];
    return { result: { ...answer, content, isError: true, outcome: "invalid-arguments" }, next };
  }

  /** The run may go on after it, with what the user has sent meanwhile: mistakes from then on are others. */
  #accept(text: string, output: unknown): Next {
    this.#mistakes.length = 0;
    return stop({ status: "completed", text, output });
  }

  /** Counts a wrong answer: what was wrong before, if the mistake was made before, and whether the run goes on. */
  #correct(issues: readonly Issue[]): { readonly earlier: readonly Issue[]; readonly next: Next } {
    const { maxCorrections = defaultMaxCorrections } = this.#run.config.options;
    const [last = [], ...older] = this.#mistakes;
    const kinds = new Set(issues.map(kindOfIssue));
    const isRepeated = last.some((issue) => kinds.has(kindOfIssue(issue)));
    this.#mistakes.unshift(issues);
    const next = this.#mistakes.length >= maxCorrections ? stop({ status: "corrections" }) : goOn;
    return { earlier: isRepeated ? [...last, ...older.slice(0, 2).flat()] : [], next };
  }
}

/**
 * The wrong answers at the end of a history that is resumed: they count on. One that ended for this reason gives the model as many
 * chances again.
 */
function earlierMistakes({ config: { resumed }, conversation }: ActiveRun, toolName: string): Mistakes {
  const mistakes: Mistakes = [];
  if (!resumed || resumed.status === "corrections") return mistakes;
  for (const message of conversation.messages.toReversed()) {
    if (message.role === "assistant") continue;
    if (!isCorrectionOf(message, toolName)) break;
    mistakes.push([]);
  }
  return mistakes;
}

function isCorrectionOf(message: Exclude<Message, { role: "assistant" }>, toolName: string): boolean {
  if (message.role === "user") return message.correction === true;
  if (message.role !== "tool") return false;
  const { result } = message;
  return result.toolName === toolName && result.outcome === "invalid-arguments";
}
