import type { RunStatus } from "../../message/run-state.ts";
import type { RunEvent, RunResult } from "../../run/types.ts";
import { errorMessage } from "../../util/error-message.ts";
import { toJson } from "../../util/to-json.ts";
import { formatArguments, formatContent, printable, shorten, type Screen, type Style } from "../text.ts";

/** Shows what happens in runs, line by line. */
export interface Renderer {
  /** Shows one event of a run. */
  event(event: RunEvent): void;
  /** Writes a line of its own, after what is being streamed. */
  line(text: string, style?: Style): void;
}

type EventOf<T extends RunEvent["type"]> = Extract<RunEvent, { readonly type: T }>;

/** The most characters of arguments that a person is asked about. */
const longestRequest = 20_000;

const agentStyles: readonly Style[] = ["cyan", "magenta", "green", "blue", "yellow"];

/** What a person must be told of how a run ended. */
const endNotes: Readonly<Record<RunStatus, (result: RunResult) => string | undefined>> = {
  completed: () => undefined,
  cancelled: () => "cancelled",
  "max-turns": ({ turns }) =>
    `stopped at ${turns} model ${turns === 1 ? "call" : "calls"}, the most for one message; say "go on" to continue`,
  budget: () => "stopped: what the run may use is used up",
  incomplete: ({ finishReason }) =>
    finishReason === "content-filter"
      ? "the provider withheld the answer: content filter"
      : "the answer was cut: it reached the longest the model may write",
  corrections: () => "stopped: the model went on calling a tool wrongly, however often it was corrected",
  paused: ({ pending }) => {
    const elsewhere = pending.filter(({ approvalId }) => approvalId === undefined);
    const names = elsewhere.map((call) => shorten(call.toolName, 64)).join(", ");
    return names === "" ? undefined : `waiting for results made elsewhere: ${names}`;
  },
};

/** What makes a renderer: where it writes, and what it must remember between events. */
interface State {
  readonly screen: Screen;
  readonly styles: Map<string, Style>;
  /** What is being streamed, if anything, and the line breaks that come only if more text does. */
  speaking: { readonly agent: string; readonly kind: "text" | "reasoning"; breaks: string } | undefined;
  /** What the model has said in this turn. */
  said: string;
  openCalls: number;
  /** Whether calls overlapped, so that results must say whose they are. */
  overlapped: boolean;
}

/** Makes a renderer that writes on `screen`. */
export function createRenderer(screen: Screen): Renderer {
  const state: State = {
    screen,
    styles: new Map(),
    speaking: undefined,
    said: "",
    openCalls: 0,
    overlapped: false,
  };
  return {
    event: (event) => renderEvent(state, event),
    line: (text, style) => writeLine(state, text, style),
  };
}

function renderEvent(state: State, event: RunEvent): void {
  switch (event.type) {
    case "text-delta":
      return streamText(state, event, "text");
    case "reasoning-delta":
      return streamText(state, event, "reasoning");
    case "tool-start":
      return renderCall(state, event);
    case "tool-progress":
      return renderProgress(state, event);
    case "tool-end":
      return renderToolResult(state, event);
    case "approval-request":
      return renderRequest(state, event);
    case "handoff":
      return writeLine(state, `${label(state, event.agent)} → ${label(state, event.to)}`);
    case "warning":
      return writeLine(state, `! ${printable(event.message)}`, "yellow");
    case "turn-end":
      return endSpeech(state);
    case "run-end":
      return renderEnd(state, event);
    case "turn-start":
      state.said = "";
      return undefined;
    case "compaction":
    case "events-dropped":
    case "output-delta":
    case "tool-input-delta":
      return undefined;
  }
}

function streamText(
  state: State,
  event: EventOf<"text-delta" | "reasoning-delta">,
  kind: "text" | "reasoning",
): void {
  const { screen } = state;
  if (kind === "text") state.said += event.text;
  const goesOn = state.speaking?.agent === event.agent && state.speaking.kind === kind;
  const piece = goesOn ? printable(event.text) : printable(event.text).trimStart();
  if (piece === "") return;
  if (!goesOn) {
    endSpeech(state);
    const thinking = kind === "reasoning" ? screen.paint("dim", " (thinking)") : "";
    screen.write(`${label(state, event.agent)}${thinking}: `);
  }
  const text = piece.trimEnd();
  const breaks = state.speaking?.breaks ?? "";
  state.speaking = {
    agent: event.agent,
    kind,
    breaks: text === "" ? breaks + piece : piece.slice(text.length),
  };
  if (text !== "") screen.write(breaks + (kind === "reasoning" ? screen.paint("dim", text) : text));
}

function renderCall(state: State, { toolCall }: EventOf<"tool-start">): void {
  if (state.openCalls === 0) state.overlapped = false;
  state.openCalls += 1;
  if (state.openCalls > 1) state.overlapped = true;
  const name = shorten(toolCall.toolName, 64);
  const room = state.screen.columns - name.length - 7;
  const call = `${name}(${shorten(formatArguments(toolCall.arguments), room)})`;
  writeLine(state, `  → ${state.screen.paint("bold", call)}`);
}

function renderProgress(state: State, { toolName, value }: EventOf<"tool-progress">): void {
  writeLine(state, `  … ${detail(state, toolName, progressText(value))}`, "dim");
}

function renderToolResult(state: State, { result }: EventOf<"tool-end">): void {
  state.openCalls = Math.max(0, state.openCalls - 1);
  const failed = result.isError && result.outcome !== "cancelled";
  const text = detail(state, result.toolName, formatContent(result.content));
  writeLine(state, `  ${failed ? "✗" : "←"} ${text}`, failed ? "red" : "dim");
}

/** Nobody can approve what cannot be seen: the arguments are shown as the tool would get them, not cut to a line. */
function renderRequest(state: State, { toolCall, input }: EventOf<"approval-request">): void {
  state.openCalls = Math.max(0, state.openCalls - 1);
  const given = formatArguments(JSON.stringify(toJson(input).value));
  const call = `${shorten(toolCall.toolName, 64)}(${shorten(given, longestRequest)})`;
  writeLine(state, `  ? ${state.screen.paint("bold", call)}`);
}

/** What came of a call, on one line; with the tool's name where several calls run side by side. */
function detail({ overlapped, screen }: State, toolName: string, text: string): string {
  const whose = overlapped ? `${shorten(toolName, 64)}: ` : "";
  return whose + shorten(text, screen.columns - whose.length - 5);
}

/** A failed run is not shown here: its result rejects, and whoever awaits that says why. */
function renderEnd(state: State, event: EventOf<"run-end">): void {
  endSpeech(state);
  state.openCalls = 0;
  // An answer that a tool took was not said.
  const isUnsaid = event.result?.output !== undefined && state.said !== event.result.text;
  if (isUnsaid) writeLine(state, `${label(state, event.agent)}: ${printable(event.result.text)}`);
  const note = event.result && endNotes[event.result.status](event.result);
  if (note !== undefined) writeLine(state, `(${note})`, "yellow");
}

function writeLine(state: State, text: string, style?: Style): void {
  endSpeech(state);
  state.screen.write(`${style === undefined ? text : state.screen.paint(style, text)}\n`);
}

function endSpeech(state: State): void {
  if (state.speaking) state.screen.write("\n");
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
