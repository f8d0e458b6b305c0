import {
  block,
  chatChunk,
  chatEnd,
  functionCallItem,
  messageEnd,
  messageStart,
  responsesEnd,
  toolUse,
  type AnswerCall,
  type WireEvent,
} from "./answers.ts";
import { googleChunk } from "./google-answers.ts";
import type { Protocol } from "./protocols.ts";

/** The two calls that every odd answer makes, in this order. */
export const heronAndCrane: readonly [AnswerCall, AnswerCall] = [
  { id: "call_heron", name: "look_up", arguments: '{"bird":"heron"}' },
  { id: "call_crane", name: "look_up", arguments: '{"bird":"crane"}' },
];
const [heron, crane] = heronAndCrane;

/** Answers in which servers tell their calls apart in ways of their own. Each is two calls all the same. */
export const oddAnswers: Readonly<Record<Protocol, Readonly<Record<string, readonly WireEvent[]>>>> = {
  chat: {
    "one index for all calls": chat(begin(heron, 0), rest(heron, 0), begin(crane, 0), rest(crane, 0)),
    "one index and one empty id for all calls, each whole": chat(whole(heron, ""), whole(crane, "")),
    "no index": chat(begin(heron), rest(heron), begin(crane), rest(crane)),
    "an index of null": chat(begin(heron, null), rest(heron, null), begin(crane, null), rest(crane, null)),
    "empty ids": chat(begin(heron, 0, ""), rest(heron, 0), begin(crane, 1, ""), rest(crane, 1)),
    "one id for all calls": chat(
      begin(heron, 0, "same"),
      rest(heron, 0),
      begin(crane, 1, "same"),
      rest(crane, 1),
    ),
    "pieces that alternate": chat(
      begin(heron, 0),
      begin(crane, 1),
      alternate(rest(heron, 0), rest(crane, 1)),
    ),
    "another id in each piece": chat(
      begin(heron, 0),
      rest(heron, 0).map((piece, turn) => ({ ...piece, id: `other_${turn}` })),
      begin(crane, 1),
      rest(crane, 1).map((piece, turn) => ({ ...piece, id: `another_${turn}` })),
    ),
    "a name that comes after the first arguments": chat(
      [{ index: 0, id: heron.id, function: { arguments: '{"bird":' } }],
      [{ index: 0, function: { name: heron.name, arguments: '"heron"}' } }],
      begin(crane, 1),
      rest(crane, 1),
    ),
    "arguments that are whole before their last piece": chat(
      whole(heron, heron.id, 0),
      [{ index: 0, function: { arguments: "\n" } }],
      whole(crane, crane.id, 1),
      [{ index: 1, function: { arguments: " " } }],
    ),
  },
  responses: {
    "item ids that change with each event": items((event, turn) => ({ ...event, item_id: `other_${turn}` })),
    "no place in the output": items(({ output_index: _, ...event }) => event),
    "empty ids of the calls": responses({ ...heron, id: "" }, { ...crane, id: "" }),
    "one id for all calls": responses({ ...heron, id: "same" }, { ...crane, id: "same" }),
    "pieces that alternate": alternatingItems(),
    "no pieces, only whole items": items((event) => (event["delta"] === undefined ? event : undefined)),
    "nothing but the end": items((event) => (event["type"] === "response.completed" ? event : undefined)),
    "arguments that come before their call": argumentsFirst(),
  },
  messages: {
    "empty ids": messages(toolUse(0, { ...heron, id: "" }), toolUse(1, { ...crane, id: "" })),
    "one id for all calls": messages(
      toolUse(0, { ...heron, id: "same" }),
      toolUse(1, { ...crane, id: "same" }),
    ),
    "one index for all calls": messages(toolUse(0, heron), toolUse(0, crane)),
    "pieces that alternate": messages(alternate(toolUse(0, heron), toolUse(1, crane))),
    "arguments that are there at the start": messages(
      block(0, { type: "tool_use", id: heron.id, name: heron.name, input: { bird: "heron" } }),
      block(1, { type: "tool_use", id: crane.id, name: crane.name, input: { bird: "crane" } }),
    ),
    "another reason to stop": [
      messageStart("odd"),
      ...toolUse(0, heron),
      ...toolUse(1, crane),
      ...messageEnd("end_turn"),
    ],
  },
  google: {
    "no ids": google("STOP", [functionCall(heron)], [functionCall(crane)]),
    "empty ids": google("STOP", [functionCall(heron, "")], [functionCall(crane, "")]),
    "one id for all calls": google("STOP", [functionCall(heron, "same")], [functionCall(crane, "same")]),
    "one chunk for all calls": google("STOP", [functionCall(heron, "a"), functionCall(crane, "b")]),
    "another reason to stop": google("FUNCTION_CALL", [functionCall(heron, "a")], [functionCall(crane, "b")]),
  },
};

/** A call as Gemini makes it, in one part. */
function functionCall({ name, arguments: input }: AnswerCall, id?: string): object {
  return { functionCall: { ...(id !== undefined && { id }), name, args: JSON.parse(input) } };
}

function google(finishReason: string, ...chunks: readonly (readonly object[])[]): WireEvent[] {
  return [
    ...chunks.map((parts) => googleChunk("odd", parts)),
    googleChunk("odd", [{ text: "" }], { finishReason }),
  ];
}

function alternate(left: readonly WireEvent[], right: readonly WireEvent[]): WireEvent[] {
  return left.flatMap((item, index) => {
    const other = right[index];
    return other === undefined ? [item] : [item, other];
  });
}

function chat(...pieces: readonly (readonly WireEvent[])[]): WireEvent[] {
  const chunks = pieces.flat().map((piece) => chatChunk("odd", { tool_calls: [piece] }));
  return [...chunks, ...chatEnd("odd", "tool_calls")];
}

function at(index: number | null | undefined): WireEvent {
  return index === undefined ? {} : { index };
}

function begin(call: AnswerCall, index?: number | null, id: string = call.id): WireEvent[] {
  return [{ ...at(index), id, type: "function", function: { name: call.name, arguments: "" } }];
}

function rest(call: AnswerCall, index?: number | null): WireEvent[] {
  return pieces(call).map((piece) => ({ ...at(index), function: { arguments: piece } }));
}

function whole(call: AnswerCall, id: string, index = 0): WireEvent[] {
  return [{ index, id, type: "function", function: { name: call.name, arguments: call.arguments } }];
}

function pieces({ arguments: input }: AnswerCall): string[] {
  return input.match(/.{1,3}/g) ?? [];
}

/** A call's item from its beginning to its end. */
function itemEvents(call: AnswerCall, place: number): WireEvent[] {
  const done = functionCallItem(call, `fc_${place}`);
  const added = { ...done, arguments: "", status: "in_progress" };
  const type = "response.function_call_arguments.delta";
  const deltas = pieces(call).map((delta) => ({ type, output_index: place, item_id: done["id"], delta }));
  return [
    { type: "response.output_item.added", output_index: place, item: added },
    ...deltas,
    { type: "response.output_item.done", output_index: place, item: done },
  ];
}

function responses(...calls: readonly AnswerCall[]): WireEvent[] {
  const output = calls.map((call, place) => functionCallItem(call, `fc_${place}`));
  return [...calls.flatMap(itemEvents), responsesEnd("odd", output)];
}

/** The usual events, each changed or left out. */
function items(change: (event: WireEvent, turn: number) => WireEvent | undefined): WireEvent[] {
  return responses(heron, crane).flatMap((event, turn): WireEvent[] => {
    const changed = change(event, turn);
    return changed ? [changed] : [];
  });
}

function alternatingItems(): WireEvent[] {
  const end = responses(heron, crane).slice(-1);
  return [...alternate(itemEvents(heron, 0), itemEvents(crane, 1)), ...end];
}

function argumentsFirst(): WireEvent[] {
  const events = responses(heron, crane);
  const isDelta = (event: WireEvent): boolean => event["delta"] !== undefined;
  return [...events.filter(isDelta), ...events.filter((event) => !isDelta(event))];
}

function messages(...blocks: readonly (readonly WireEvent[])[]): WireEvent[] {
  return [messageStart("odd"), ...blocks.flat(), ...messageEnd("tool_use")];
}
