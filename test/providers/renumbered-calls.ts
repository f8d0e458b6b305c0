/** Chat Completions of servers that leave out, shift or repeat what tells the pieces of several calls apart: all combinations. */
import { chatChunk, type WireEvent } from "./answers.ts";

/** A call that the model made. */
export interface MeantCall {
  readonly id: string;
  readonly name: string;
  readonly arguments: string;
}

/** How a server writes the pieces of its calls. The first piece of each has the name; the others have the arguments. */
export interface PieceHabits {
  readonly count: 2 | 3;
  /** Whether all calls are to one tool. */
  readonly isOneTool: boolean;
  readonly firstIndex: "right" | "absent" | "null" | "one more" | "zero";
  readonly nextIndex: "right" | "absent" | "null" | "one more" | "zero";
  readonly firstId: "own" | "absent" | "empty";
  readonly nextId: "absent" | "own" | "empty" | "null" | "changing";
  readonly nextName: "absent" | "own" | "empty";
  readonly firstArguments: "empty" | "absent" | "whole" | "half";
  readonly order: "one call after another" | "mixed" | "all names first" | "names last";
}

const choices: { readonly [Name in keyof PieceHabits]: readonly PieceHabits[Name][] } = {
  count: [2, 3],
  isOneTool: [false, true],
  firstIndex: ["right", "absent", "null", "one more", "zero"],
  nextIndex: ["right", "absent", "null", "one more", "zero"],
  firstId: ["own", "absent", "empty"],
  nextId: ["absent", "own", "empty", "null", "changing"],
  nextName: ["absent", "own", "empty"],
  firstArguments: ["empty", "absent", "whole", "half"],
  order: ["one call after another", "mixed", "all names first", "names last"],
};

/** All combinations of habits. */
export function* allHabits(): Generator<PieceHabits> {
  for (const count of choices.count)
    for (const isOneTool of choices.isOneTool)
      for (const firstIndex of choices.firstIndex)
        for (const nextIndex of choices.nextIndex)
          for (const firstId of choices.firstId)
            for (const nextId of choices.nextId)
              for (const nextName of choices.nextName)
                for (const firstArguments of choices.firstArguments)
                  for (const order of choices.order)
                    yield {
                      count,
                      isOneTool,
                      firstIndex,
                      nextIndex,
                      firstId,
                      nextId,
                      nextName,
                      firstArguments,
                      order,
                    };
}

/** The calls of an answer. */
export function callsOf({ count, isOneTool }: PieceHabits): MeantCall[] {
  return ["heron", "crane", "stork"].slice(0, count).map((name, index) => ({
    id: `call_${name}`,
    name: isOneTool ? "heron" : name,
    arguments: `{"order":${index + 1}}`,
  }));
}

/** The chunks of an answer with these calls. */
export function chunksOf(calls: readonly MeantCall[], habits: PieceHabits): WireEvent[] {
  const lanes = calls.map((call, index) => lane(call, index, habits));
  return arrange(lanes, habits.order).map((entry) => chatChunk("c", { tool_calls: [entry] }));
}

function lane(call: MeantCall, index: number, habits: PieceHabits): object[] {
  const { firstArguments: head } = habits;
  const [half, rest] = [call.arguments.slice(0, 5), call.arguments.slice(5)];
  const text = { empty: "", absent: undefined, whole: call.arguments, half }[head];
  const first = {
    ...place(habits.firstIndex, index),
    ...{ own: { id: call.id }, absent: {}, empty: { id: "" } }[habits.firstId],
    type: "function",
    function: { name: call.name, ...(text !== undefined && { arguments: text }) },
  };
  const texts = { empty: [half, rest], absent: [half, rest], whole: [], half: [rest] }[head];
  const next = texts.map((piece, turn) => ({
    ...place(habits.nextIndex, index),
    ...{
      absent: {},
      own: { id: call.id },
      empty: { id: "" },
      null: { id: null },
      changing: { id: `${call.id}_${turn}` },
    }[habits.nextId],
    function: {
      ...{ absent: {}, own: { name: call.name }, empty: { name: "" } }[habits.nextName],
      arguments: piece,
    },
  }));
  return habits.order === "names last" ? [...next, first] : [first, ...next];
}

function place(habit: PieceHabits["firstIndex"], index: number): object {
  return {
    right: { index },
    absent: {},
    null: { index: null },
    "one more": { index: index + 1 },
    zero: { index: 0 },
  }[habit];
}

function arrange(lanes: readonly (readonly object[])[], order: PieceHabits["order"]): object[] {
  if (order === "all names first") {
    return [...lanes.flatMap(([first]) => first ?? []), ...lanes.flatMap((each) => each.slice(1))];
  }
  if (order !== "mixed") return lanes.flat();
  const length = Math.max(...lanes.map((each) => each.length));
  return Array.from({ length }, (_, turn) => lanes.flatMap((each) => each[turn] ?? [])).flat();
}
