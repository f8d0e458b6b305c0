/** Answers with several calls from servers that number, name, order and repeat the parts of an answer in ways of their own. */
import type { Random } from "../../src/testing/conformance/random.ts";
import type { WireEvent } from "./answers.ts";

/** An answer, and the calls in it. */
export interface CrossedAnswer {
  readonly events: readonly (object | string)[];
  /** The arguments of its calls. */
  readonly inputs: readonly object[];
  /** What the server does, for a failing test's message. */
  readonly habits: object;
}

const people = ["Ada", "Bob", "Cem"];

/** One of the values, as one of their type. */
function pick<const T>(random: Random, values: readonly [T, ...T[]]): T {
  return random.pick(values) ?? values[0];
}

function inputsOf(random: Random): object[] {
  return Array.from({ length: random.integer(2, 3) }, (_, index) => ({
    to: people[index],
    amount: index + 1,
  }));
}

/** The parts of each call in their order, but those of several calls among each other. */
function interleave<T>(random: Random, lanes: readonly (readonly T[])[], isMixed: boolean): T[] {
  if (!isMixed) return lanes.flat();
  const rest = lanes.map((lane) => [...lane]);
  const all: T[] = [];
  for (let open = rest; open.length > 0; open = open.filter((lane) => lane.length > 0))
    all.push(...(random.pick(open)?.splice(0, random.integer(1, 2)) ?? []));
  return all;
}

function cut(random: Random, text: string): string[] {
  const place = random.integer(1, text.length - 1);
  return [text.slice(0, place), text.slice(place)];
}

/** An answer of the Responses API. */
export function crossedResponses(random: Random): CrossedAnswer {
  const inputs = inputsOf(random);
  const choices = {
    index: pick(random, ["right", "right", "zero", "from 1", "none", "text", "shifted ends"]),
    itemId: pick(random, ["right", "right", "same", "none", "changing"]),
    callId: pick(random, ["right", "right", "right", "late", "changed", "same", "none"]),
    added: pick(random, ["all", "all", "none", "some"]),
    deltas: pick(random, ["two", "one", "none", "some"]),
    argumentsDone: pick(random, [true, false]),
    ends: pick(random, ["all", "all", "twice", "some", "none"]),
    list: pick(random, ["whole", "whole", "empty", "absent", "reversed", "without ids", "shorter"]),
    isMixed: pick(random, [true, true, false]),
  };
  const isNameless =
    ["zero", "none"].includes(choices.index) &&
    ["same", "none"].includes(choices.itemId) &&
    choices.callId !== "changed";
  // Starts that are the same to the letter may be one that is sent again.
  const habits = isNameless ? { ...choices, callId: "right" as const } : choices;
  let changes = 0;
  const place = (index: number, isEnd = false): object => {
    if (habits.index === "none") return {};
    if (habits.index === "zero") return { output_index: 0 };
    if (habits.index === "text") return { output_index: `${index}` };
    return {
      output_index: index + (habits.index === "from 1" || (isEnd && habits.index === "shifted ends") ? 1 : 0),
    };
  };
  const itemId = (index: number): string =>
    ({ right: `fc_${index}`, same: "fc", none: "", changing: `fc_${index}_${changes++}` })[habits.itemId];
  const callId = (index: number, isStart = false): string =>
    ({
      right: `c${index}`,
      late: isStart ? "" : `c${index}`,
      changed: isStart ? `c${index}` : `d${index}`,
      same: "c",
      none: "",
    })[habits.callId];
  const item = (index: number, isStart = false): object => ({
    type: "function_call",
    id: itemId(index),
    call_id: callId(index, isStart),
    name: "act",
    arguments: isStart ? "" : JSON.stringify(inputs[index]),
    status: isStart ? "in_progress" : "completed",
  });
  const some = (habit: string): boolean => habit === "some" && random.next() < 0.5;
  const isListed = (index: number): boolean =>
    habits.list !== "empty" && habits.list !== "absent" && (habits.list !== "shorter" || index > 0);
  const lanes = inputs.map((input, index) => {
    const text = JSON.stringify(input);
    const pieces =
      habits.deltas === "none" || some(habits.deltas)
        ? []
        : habits.deltas === "one"
          ? [text]
          : cut(random, text);
    const named = (): object => ({
      ...place(index),
      ...(habits.itemId === "none" ? {} : { item_id: itemId(index) }),
    });
    const hasPieces = pieces.length > 0 || habits.argumentsDone || isListed(index);
    const end = (): WireEvent => ({
      type: "response.output_item.done",
      ...place(index, true),
      item: item(index),
    });
    return [
      ...(habits.added === "none" || some(habits.added)
        ? []
        : [{ type: "response.output_item.added", ...place(index), item: item(index, true) }]),
      ...pieces.map((delta) => ({ type: "response.function_call_arguments.delta", ...named(), delta })),
      ...(habits.argumentsDone
        ? [{ type: "response.function_call_arguments.done", ...named(), arguments: text }]
        : []),
      ...(hasPieces && (habits.ends === "none" || some(habits.ends)) ? [] : [end()]),
      ...(habits.ends === "twice" ? [end()] : []),
    ];
  });
  const whole = inputs.map((_, index) => item(index));
  const lists: Record<typeof habits.list, object> = {
    whole: { output: whole },
    empty: { output: [] },
    absent: {},
    reversed: { output: whole.toReversed() },
    "without ids": { output: whole.map((each) => ({ ...each, id: "", call_id: "" })) },
    shorter: { output: whole.slice(1) },
  };
  const events = [
    ...interleave<WireEvent>(random, lanes, habits.isMixed),
    { type: "response.completed", response: { status: "completed", ...lists[habits.list] } },
  ];
  return { events, inputs, habits };
}

/** An answer of Chat Completions. */
export function crossedChat(random: Random): CrossedAnswer {
  const inputs = inputsOf(random);
  const choices = {
    index: pick(random, ["right", "right", "zero", "from 1", "none", "text"]),
    id: pick(random, ["right", "right", "repeated", "changing", "same", "none"]),
    name: pick(random, ["first", "first", "repeated"]),
    head: pick(random, ["empty", "whole", "cut"]),
    isMixed: pick(random, [true, false]),
  };
  const isNameless = ["zero", "none"].includes(choices.index) && ["same", "none"].includes(choices.id);
  // Nothing tells such pieces apart but their order.
  const habits = isNameless ? { ...choices, isMixed: false } : choices;
  let changes = 0;
  const ids = (index: number, isFirst: boolean): object => {
    const id = {
      right: isFirst ? `c${index}` : "",
      repeated: `c${index}`,
      changing: `c_${changes++}`,
      same: isFirst ? "c" : "",
      none: "",
    }[habits.id];
    return id === "" ? {} : { id };
  };
  const place = (index: number): object =>
    ({
      right: { index },
      zero: { index: 0 },
      "from 1": { index: index + 1 },
      none: {},
      text: { index: `${index}` },
    })[habits.index];
  const lanes = inputs.map((input, index) => {
    const text = JSON.stringify(input);
    const pieces = { empty: ["", ...cut(random, text)], whole: [text], cut: cut(random, text) }[habits.head];
    return pieces.map((piece, at) => ({
      choices: [
        {
          index: 0,
          delta: {
            tool_calls: [
              {
                ...place(index),
                ...ids(index, at === 0),
                function: {
                  arguments: piece,
                  ...((at === 0 || habits.name === "repeated") && { name: "act" }),
                },
              },
            ],
          },
          finish_reason: null,
        },
      ],
    }));
  });
  const end = { choices: [{ index: 0, delta: {}, finish_reason: "tool_calls" }] };
  return {
    events: [...interleave<object>(random, lanes, habits.isMixed), end, "[DONE]"],
    inputs,
    habits,
  };
}

/** An answer of the Messages API. */
export function crossedMessages(random: Random): CrossedAnswer {
  const inputs = inputsOf(random);
  const habits = {
    index: pick(random, ["right", "right", "zero", "from 1", "none", "text"]),
    id: pick(random, ["right", "same", "none"]),
    stops: pick(random, ["all", "none"]),
    input: pick(random, ["pieces", "start"]),
    isMixed: pick(random, [true, false]),
  };
  const place = (index: number): object =>
    ({
      right: { index },
      zero: { index: 0 },
      "from 1": { index: index + 1 },
      none: {},
      text: { index: `${index}` },
    })[habits.index];
  const lanes = inputs.map((input, index) => {
    const id = { right: `c${index}`, same: "c", none: "" }[habits.id];
    const pieces = habits.input === "start" ? [] : cut(random, JSON.stringify(input));
    return [
      {
        type: "content_block_start",
        ...place(index),
        content_block: { type: "tool_use", id, name: "act", input: habits.input === "start" ? input : {} },
      },
      ...pieces.map((text) => ({
        type: "content_block_delta",
        ...place(index),
        delta: { type: "input_json_delta", partial_json: text },
      })),
      ...(habits.stops === "all" ? [{ type: "content_block_stop", ...place(index) }] : []),
    ];
  });
  const events = [
    { type: "message_start", message: { id: "m", type: "message", content: [] } },
    ...interleave<WireEvent>(random, lanes, habits.isMixed),
    { type: "message_delta", delta: { stop_reason: "tool_use" } },
    { type: "message_stop" },
  ];
  return { events, inputs, habits };
}
