import { InvalidInputError } from "../../errors.ts";
import { describeValue } from "../../base/options/known-options.ts";
import { isPlainObject } from "../../base/util/json.ts";

/** What a value must be: a type, a list, an object whose members with a `?` may be left out, or one of these for the value. */
export type Shape = keyof typeof types | readonly [Shape] | Members | ((value: unknown) => Shape);

interface Members {
  readonly [name: string]: Shape;
}

/** Types as `typeof` has them, and as people read them. */
const types = { string: "a text", number: "a number", boolean: "true or false" } as const;

/** Nothing that is read of a state is deeper. */
const deepest = 1_000;

const text = "string";
const ofCall = { toolName: text, arguments: text } as const;
const call = { toolCallId: text, ...ofCall } as const;
const pendingCall = {
  ...call,
  "approvalId?": text,
  "edited?": call,
  "version?": text,
  "agent?": text,
  "parentToolCallId?": text,
} as const;
const usage = {
  "inputTokens?": "number",
  "outputTokens?": "number",
  "totalTokens?": "number",
  "cachedInputTokens?": "number",
  "cacheWriteTokens?": "number",
  "reasoningTokens?": "number",
  "webSearches?": "number",
} as const;
const content: Shape = (value) =>
  typeof value === text ? text : [{ type: text, "text?": text, "toolCallId?": text }];
const result = {
  toolCallId: text,
  "toolName?": text,
  "usedTool?": text,
  "content?": content,
  "isError?": "boolean",
  "outcome?": text,
  "final?": "boolean",
  "isCut?": "boolean",
  "succeeded?": [text],
  "isPruned?": "boolean",
  "truncated?": { length: "number", "text?": text, "limit?": "number" },
} as const;
const message = {
  role: text,
  "content?": content,
  "toolCalls?": [call],
  "agent?": text,
  "truncated?": "boolean",
  "shouldContinue?": "boolean",
  "result?": result,
  "summaryOf?": "number",
  "succeeded?": [text],
} as const;
/** A step has done something, waits, is open, or failed. */
const step: Shape = (value) => ({
  step: text,
  "state?": () => runState,
  "waiting?": pendingCall,
  "call?": { ...call, "edited?": call, "sharedWith?": text },
  "original?": call,
  "isOpen?": "boolean",
  [["state", "waiting", "call", "value", "isOpen"].some((name) => Object.hasOwn(Object(value), name))
    ? "error?"
    : "error"]: text,
});

/** What a state and a session have. */
export const storedState: Members = {
  "runId?": text,
  agent: text,
  "turn?": "number",
  "status?": text,
  "blocked?": { guard: text, stage: text, reason: text, "message?": text, agent: text, "toolCallId?": text },
  "callers?": [text],
  "toolNames?": [{ agent: text, toolName: text, origin: [text] }],
  "approvals?": [
    { approvalId: text, toolCallId: text, "toolCall?": ofCall, "edited?": call, "version?": text },
  ],
  "underWay?": [text],
  "interrupted?": [text],
  "isLeftToProgram?": "boolean",
  "resumptions?": "number",
  "nested?": [{ toolCallId: text, "toolCall?": call, "edited?": call, "sharedWith?": text, steps: [step] }],
  "changes?": [{ toolCallId: text, "context?": {}, "cleared?": [text], "agent?": text }],
  "cleared?": [text],
  "unread?": [{ when: text, message: { role: text, content } }],
  "received?": "number",
  "notes?": (value) => Object.fromEntries(Object.keys(Object(value)).map((name) => [name, text])),
  "usage?": usage,
  "left?": [{ toolCallId: text }],
  "calls?": (value) => Object.fromEntries(Object.keys(Object(value)).map((name) => [name, "number"])),
  "toolCalls?": "number",
  "isCallLimitReached?": "boolean",
  "modelCalls?": [{ provider: text, modelId: text, usage }],
};

const runState: Members = {
  version: "number",
  ...storedState,
  messages: [message],
  pending: [pendingCall],
  "decisions?": [{ approvalId: text, decision: text, "reason?": text }],
};

/** @throws InvalidInputError naming the first place of a state that is not what it must be: it would fail far from here. */
export function assertState(state: object): void {
  const problem = problemOf(state, runState);
  if (problem !== undefined)
    throw new InvalidInputError(`The state's ${problem.slice(1)}. Pass result.state unchanged.`);
}

/** What is wrong with a value, with its place in front: `.pending[0].toolName must be a text, not null`. */
export function problemOf(value: unknown, shape: Shape, depth = 0): string | undefined {
  if (typeof shape === "function") return problemOf(value, shape(value), depth);
  if (depth > deepest) return " is too deep";
  if (typeof shape === "string") return typeof value === shape ? undefined : wrong(value, types[shape]);
  if (isList(shape)) {
    if (!Array.isArray(value)) return wrong(value, "a list");
    for (const [index, item] of value.entries()) {
      const problem = problemOf(item, shape[0], depth + 1);
      if (problem !== undefined) return `[${index}]${problem}`;
    }
    return undefined;
  }
  if (!isPlainObject(value)) return wrong(value, "an object");
  for (const [key, member] of Object.entries(shape)) {
    const name = key.replace("?", "");
    const problem =
      key !== name && value[name] === undefined ? undefined : problemOf(value[name], member, depth + 1);
    if (problem !== undefined) return `.${name}${problem}`;
  }
  return undefined;
}

function wrong(value: unknown, right: string): string {
  return ` must be ${right}, not ${typeof value === text ? types.string : describeValue(value)}`;
}

function isList(shape: readonly [Shape] | Members): shape is readonly [Shape] {
  return Array.isArray(shape);
}
