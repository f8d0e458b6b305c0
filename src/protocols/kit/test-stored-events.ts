import type { SourceEvent } from "./source.ts";

const agent = "Host";
const usage = { inputTokens: 1, outputTokens: 1, totalTokens: 2 };
const report = {
  status: "completed",
  finishReason: "stop",
  agent,
  usage,
  turns: 1,
  pending: [],
  warnings: [],
} as const;

/** A run whose process died after "Hel". */
export const restarted: readonly SourceEvent[] = [
  { type: "turn-start", turn: 1, agent, index: 0 },
  { type: "text-delta", text: "Hel", agent, index: 1 },
  { type: "text-delta", text: "l", agent, index: 2 },
  { type: "turn-restart", turn: 1, agent, from: 0, index: 5 },
  { type: "turn-start", turn: 1, agent, index: 6 },
  { type: "text-delta", text: "Good ", agent, index: 7 },
  { type: "text-delta", text: "day.", agent, index: 8 },
  { type: "run-end", agent, index: 9, status: "completed", result: { ...report, text: "Good day." } },
];

/** The end of a run that waits for a call of `sign`. */
export const waitsForSign: SourceEvent = {
  type: "run-end",
  agent,
  index: 0,
  status: "paused",
  result: {
    ...report,
    status: "paused",
    text: "",
    pending: [{ toolCallId: "c1", toolName: "sign", arguments: "{}" }],
  },
};

/** A run whose reader was too slow. */
export const dropped: readonly SourceEvent[] = [
  ...restarted.slice(0, 2),
  { type: "events-dropped", agent, count: 3, index: 5 },
  ...restarted.slice(-1),
];
