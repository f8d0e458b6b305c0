import type { RunStatus } from "../../message/run-state.ts";
import type { RunResult } from "../../run/result-types.ts";
import type { RunEvent } from "../../run/types.ts";
import { errorMessage } from "../../base/util/error-message.ts";
import {
  formatArguments,
  formatContent,
  printable,
  quoteName,
  shorten,
  type Screen,
  type Style,
} from "../text.ts";
import { widthOf } from "../width.ts";
import { argumentPages } from "./request-text.ts";
import { type LiveScreen, liveScreen } from "./live-line.ts";
import { type MarkdownWriter, markdownWriter } from "./markdown.ts";
import { signs, type Voice } from "./voice.ts";

/** Shows what happens in runs, line by line. */
export interface Renderer {
  /** Shows one event of a run; a result on one line, unless it is to be shown whole. */
  event(event: RunEvent, isWhole?: boolean): void;
  /** Writes a line of its own, after what is being streamed; what would drive the terminal is left out. */
  line(text: string, style?: Style): void;
  readonly voice: Voice;
}

type EventOf<T extends RunEvent["type"]> = Extract<RunEvent, { readonly type: T }>;

/** How much of arguments that are being written is kept to be shown, in characters. */
const longestTail = 400;

/** The most that a person is shown of the result of a call of her own. */
const longestRequest = 20_000;

const agentStyles: readonly Style[] = ["cyan", "magenta", "green", "blue", "yellow"];

/** The notice that a person needs about how a run ended. */
const endNotes: Readonly<Record<RunStatus, (result: RunResult) => string | undefined>> = {
  completed: () => undefined,
  cancelled: () => "cancelled",
  "max-turns": ({ turns }) =>
    `stopped at ${turns} model ${turns === 1 ? "call" : "calls"}, the most for one message; say "go on" to continue`,
  budget: () => "stopped: what the run may use is used up",
  "max-tool-calls": () => 'stopped at the most tool calls for one message; say "go on" to continue',
  repeating: () => "stopped: the model went on making the same call, with the same result every time",
  blocked: describeBlock,
  incomplete: describeIncomplete,
  corrections: () => "stopped: the model went on calling a tool wrongly, however often it was corrected",
  paused: ({ pending }) => {
    const elsewhere = pending.filter(({ approvalId }) => approvalId === undefined);
    const names = elsewhere.map((call) => shorten(call.toolName, 64)).join(", ");
    return names === "" ? undefined : `waiting for results made elsewhere: ${names}`;
  },
};

/** Why a guard stopped the run: its message for the user is printed as the answer. */
function describeBlock({ blocked }: RunResult): string | undefined {
  return blocked && `blocked by the guard ${shorten(blocked.guard, 64)}: ${shorten(blocked.reason, 200)}`;
}

/** Why an answer is not whole, and what a person can do. */
function describeIncomplete({ finishReason, rawFinishReason }: RunResult): string {
  const reason = rawFinishReason === undefined ? "" : ` (${shorten(rawFinishReason, 64)})`;
  if (finishReason === "length") return "the answer was cut: it reached the longest the model may write";
  if (finishReason === "content-filter")
    return `the provider withheld the answer: content filter${reason}; /undo takes your message back`;
  return finishReason === "error"
    ? `the answer ended with an error of the model's${reason}; say "go on" to try again`
    : `the model did not answer${reason}; /undo takes your message back`;
}

/** What makes a renderer: where it writes, and what it must remember between events. */
interface State {
  readonly screen: LiveScreen;
  readonly voice: Voice;
  readonly styles: Map<string, Style>;
  speaking: Speech | undefined;
  /** The call whose arguments are being written, and the end of them. */
  forming: { readonly toolCallId: string; readonly tail: string } | undefined;
  /** The warnings that were shown: each run gives those of its tools again. */
  readonly warnings: Set<string>;
  /** The calls of the provider's own tools that have a line. */
  readonly hostedCalls: Set<string>;
  /** What the model has said in this turn. */
  lastText: string;
  openCalls: number;
  /** Whether calls overlapped, so that results must say whose they are. */
  overlapped: boolean;
}

/** What is being streamed. */
interface Speech {
  readonly agent: string;
  readonly kind: "text" | "reasoning";
  /** The line breaks that come only if more text does. */
  readonly breaks: string;
  /** Lays out the text, where marks are not shown as they are. */
  readonly layout: MarkdownWriter | undefined;
}

/** Makes a renderer that writes on `screen`. */
export function createRenderer(screen: Screen, voice: Voice = signs): Renderer {
  const state: State = {
    screen: liveScreen(screen),
    voice,
    styles: new Map(),
    warnings: new Set(),
    hostedCalls: new Set(),
    speaking: undefined,
    forming: undefined,
    lastText: "",
    openCalls: 0,
    overlapped: false,
  };
  return {
    event: (event, isWhole = false) => renderEvent(state, event, isWhole),
    line: (text, style) => writeLine(state, printable(text), style),
    voice,
  };
}

function renderEvent(state: State, event: RunEvent, isWhole: boolean): void {
  switch (event.type) {
    case "text-delta":
      return streamText(state, event, "text");
    case "reasoning-delta":
      return streamText(state, event, "reasoning");
    case "tool-start":
      return renderCall(state, event);
    case "hosted-call":
      return renderHosted(state, event);
    case "tool-progress":
      return renderProgress(state, event);
    case "tool-end":
      return renderToolResult(state, event, isWhole && event.parentToolCallId === undefined);
    case "approval-request":
      return renderRequest(state, event);
    case "handoff":
      return writeLine(state, state.voice.handoff(label(state, event.agent), label(state, event.to)));
    case "warning":
      if (state.warnings.has(event.message)) return;
      state.warnings.add(event.message);
      return writeLine(state, `${state.voice.warning}${printable(event.message)}`, "yellow");
    case "turn-end":
      return endSpeech(state);
    case "run-end":
      return renderEnd(state, event);
    case "turn-start":
      state.lastText = "";
      return undefined;
    case "agent-event":
      return renderAgentEvent(state, event);
    case "compaction":
    case "model-start":
    case "model-end":
    case "retry":
    case "events-dropped":
    case "output-delta":
    // The chat shows what a person types by itself.
    case "user-message":
      return undefined;
    case "tool-input-delta":
      return renderForming(state, event);
  }
}

/** A call that the provider executes: a line once its input is there, and one if it fails. */
function renderHosted(state: State, { call }: EventOf<"hosted-call">): void {
  const { id, name, input, status, error = "" } = call;
  const { voice, hostedCalls } = state;
  // OpenAI says at the end what it has searched for.
  const isBlank = Object.values(Object(input)).every((value) => String(value) === "");
  if (!hostedCalls.has(id) && !(isBlank && status === "running")) {
    hostedCalls.add(id);
    writeDetail(
      state,
      `${voice.call}${shorten(name, 64)}(`,
      `${formatArguments(JSON.stringify(input ?? {}))})`,
    );
  }
  if (status === "failed") writeDetail(state, `${voice.failure}${shorten(name, 64)}: `, printable(error));
}

/** An agent within the run: its calls, each with its result in one line; what it writes is for the agent that runs it. */
function renderAgentEvent(state: State, { event }: EventOf<"agent-event">, depth = 1): void {
  if (event.type === "agent-event") return renderAgentEvent(state, event, depth + 1);
  if (event.type === "warning") return renderEvent(state, event, false);
  const indent = "  ".repeat(depth);
  if (event.type === "tool-start") {
    const { toolName, arguments: text } = event.toolCall;
    return writeDetail(
      state,
      `${indent}${state.voice.call}${shorten(event.agent, 64)}: ${shorten(toolName, 64)}(`,
      `${formatArguments(text)})`,
    );
  }
  if (event.type !== "tool-end") return;
  const { toolName, content, isError, outcome } = event.result;
  const mark = isError && outcome !== "cancelled" ? state.voice.failure : state.voice.result;
  writeDetail(state, `${indent}${mark}${shorten(toolName, 64)}: `, formatContent(content));
}

function writeDetail(state: State, head: string, text: string): void {
  writeLine(state, head + shorten(text, state.screen.columns - widthOf(head) - 1), "dim");
}

function streamText(
  state: State,
  event: EventOf<"text-delta" | "reasoning-delta">,
  kind: "text" | "reasoning",
): void {
  const { screen } = state;
  if (kind === "text") state.lastText += event.text;
  const { speaking } = state;
  const goesOn = speaking?.agent === event.agent && speaking.kind === kind;
  const piece = goesOn ? printable(event.text) : printable(event.text).trimStart();
  if (piece === "") return;
  if (!goesOn) {
    endSpeech(state);
    const thinking = kind === "reasoning" ? screen.paint("dim", state.voice.thinking) : "";
    screen.write(`${label(state, event.agent)}${thinking}: `);
  }
  const text = piece.trimEnd();
  const { breaks, layout } =
    goesOn && speaking ? speaking : { breaks: "", layout: kind === "text" ? layoutFor(state) : undefined };
  const nextBreaks = text === "" ? breaks + piece : piece.slice(text.length);
  state.speaking = { agent: event.agent, kind, breaks: nextBreaks, layout };
  if (text === "") return;
  if (layout) screen.write(layout.write(breaks + text));
  else screen.write(breaks + (kind === "reasoning" ? screen.paint("dim", text) : text));
}

/** Without styles, the marks say what they mean; read aloud, they are in the way. */
function layoutFor({ screen, voice }: State): MarkdownWriter | undefined {
  if (voice !== signs) return markdownWriter(screen, true);
  return screen.isStyled ? markdownWriter(screen) : undefined;
}

/** Shows the end of arguments that are being written, as far as a line goes. */
function renderForming(state: State, event: EventOf<"tool-input-delta">): void {
  const { screen, voice, forming } = state;
  if (!screen.isLive) return;
  const { toolCallId, toolName, text } = event;
  const before = forming?.toolCallId === toolCallId ? forming.tail : "";
  const tail = (before + text).slice(-longestTail);
  state.forming = { toolCallId, tail };
  endSpeech(state);
  const head = `${voice.call}${shorten(toolName, 64)}(`;
  screen.live(head + shownTail(tail, screen.columns - widthOf(head) - 1));
}

/** The end of a text, on one line of `columns` columns. */
function shownTail(text: string, columns: number): string {
  const line = printable(text).replaceAll(/\s+/g, " ");
  const least = Array.from(line).slice(-Math.max(1, columns));
  while (least.length > 1 && widthOf(least.join("")) > columns) least.shift();
  return least.length < line.length ? `…${least.slice(1).join("")}` : line;
}

function renderCall(state: State, { toolCall }: EventOf<"tool-start">): void {
  if (state.openCalls === 0) state.overlapped = false;
  state.openCalls += 1;
  if (state.openCalls > 1) state.overlapped = true;
  const name = shorten(toolCall.toolName, 64);
  const { screen, voice } = state;
  const room = screen.columns - widthOf(voice.call + name) - 3;
  const call = `${name}(${shorten(formatArguments(toolCall.arguments), room)})`;
  writeLine(state, `${voice.call}${screen.paint("bold", call)}`);
}

function renderProgress(state: State, { toolName, value }: EventOf<"tool-progress">): void {
  const { progress } = state.voice;
  writeLine(state, progress + detail(state, progress, toolName, progressText(value)), "dim");
}

function renderToolResult(state: State, { result }: EventOf<"tool-end">, isWhole: boolean): void {
  state.openCalls = Math.max(0, state.openCalls - 1);
  const failed = result.isError && result.outcome !== "cancelled";
  const mark = failed ? state.voice.failure : state.voice.result;
  const content = formatContent(result.content);
  const text = isWhole ? indented(content) : detail(state, mark, result.toolName, content);
  writeLine(state, mark + text, failed ? "red" : "dim");
}

/** Nobody can approve what cannot be seen: the arguments are shown as the tool would get them, not cut to a line. */
function renderRequest(state: State, { toolCall, input }: EventOf<"approval-request">): void {
  state.openCalls = Math.max(0, state.openCalls - 1);
  const [first = "", ...others] = argumentPages({ toolCall, input });
  const call = `${quoteName(toolCall.toolName)}(${first}${others.length > 0 ? "…" : ")"}`;
  writeLine(state, `${state.voice.request}${state.screen.paint("bold", call)}`);
}

/** What came of a call, on one line; with the tool's name where several calls run side by side. */
function detail({ overlapped, screen }: State, mark: string, toolName: string, text: string): string {
  const whose = overlapped ? `${shorten(toolName, 64)}: ` : "";
  return whose + shorten(text, screen.columns - widthOf(mark + whose) - 1);
}

/** A text on its own lines, under its beginning. */
function indented(text: string): string {
  return printable(text.slice(0, longestRequest)).trimEnd().replaceAll("\n", "\n    ");
}

/** A failed run is not shown here: its result rejects, and the code that awaits it reports why. */
function renderEnd(state: State, event: EventOf<"run-end">): void {
  endSpeech(state);
  state.screen.write("");
  state.openCalls = 0;
  // An answer that a tool collected was not printed, and neither was what a guard has in its place.
  const { output, blocked, text = "" } = event.result ?? {};
  const isOther = output !== undefined || (blocked && text !== "");
  if (event.result && isOther && state.lastText !== text)
    writeLine(state, `${label(state, event.agent)}: ${printable(text)}`);
  const note = event.result && endNotes[event.result.status](event.result);
  if (note !== undefined) writeLine(state, state.voice.note(note), "yellow");
}

function writeLine(state: State, text: string, style?: Style): void {
  endSpeech(state);
  state.screen.write(`${style === undefined ? text : state.screen.paint(style, text)}\n`);
}

function endSpeech(state: State): void {
  if (state.speaking) state.screen.write(`${state.speaking.layout?.end() ?? ""}\n`);
  state.speaking = undefined;
}

/** An agent's name in the colour it keeps: colours are given in order of appearance. */
function label(state: State, agent: string): string {
  const style = state.styles.get(agent) ?? agentStyles[state.styles.size % agentStyles.length] ?? "cyan";
  state.styles.set(agent, style);
  return state.screen.paint(style, shorten(agent, 64));
}

function progressText(value: unknown): string {
  if (typeof value === "string") return value;
  try {
    return JSON.stringify(value) ?? String(value);
  } catch {
    return errorMessage(value);
  }
}
