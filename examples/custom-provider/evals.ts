import { defineEval, type EvalCase, type Evaluation } from "skein/evals";
import { agent, listKeeper } from "./agent.ts";

const add = (...things: readonly string[]) =>
  things.map((what) => ({ tool: "addItem", arguments: { what } }));
const strike = (position: number) => ({ tool: "strikeOff", arguments: { position } });
const listed = ["milk", "bread"];

/** Puts these on an empty list. */
const adds = (input: string, ...things: readonly string[]): EvalCase => ({
  input,
  calls: { anyOrder: add(...things) },
});

/** Strikes one of "milk" and "bread" off. */
const strikes = (input: string, position: number): EvalCase => ({
  input,
  context: { list: listed },
  calls: { include: [strike(position)] },
  state: listed.filter((_, index) => index !== position - 1),
});

const reads = (...inputs: readonly string[]): EvalCase[] =>
  inputs.map((input) => ({
    input,
    context: { list: listed },
    calls: ["readList"],
    text: listed,
    state: listed,
  }));

const talk = (...inputs: readonly string[]): EvalCase[] =>
  inputs.map((input) => ({ input, calls: [], state: [] }));

export const evaluation: Evaluation = defineEval({
  name: "custom-provider",
  agent,
  setup: ({ context }) => {
    const list = context && "list" in context && Array.isArray(context.list) ? context.list.map(String) : [];
    return { agent: listKeeper(list, agent.model), state: () => list };
  },
  cases: [
    adds('Put "milk" on the list', "milk"),
    adds('Add "call Ada" to my list, please', "call Ada"),
    adds('I must not forget to "water the plants"', "water the plants"),
    adds('Remind me of "taxes"', "taxes"),
    adds('Write down: "buy stamps"', "buy stamps"),
    adds('"eggs" and "butter" go on the list', "eggs", "butter"),
    adds('Put "tea", "coffee" and "sugar" on it', "tea", "coffee", "sugar"),
    ...reads("Read the list out", "What do I have to do?", "What is on my list?", "Show me the list"),
    strikes("Strike number 1 off", 1),
    strikes("Number 2 is done", 2),
    strikes("Strike off the 2nd", 2),
    strikes("The first one is done", 1),
    strikes("I have bought the bread", 2),
    { input: "Read the list out", calls: ["readList"], text: "empty", state: [] },
    { input: "Strike number 7 off", context: { list: listed }, calls: [strike(7)], text: "7", state: listed },
    {
      input: 'Put "milk" on the list',
      user: ["Number 1 is done"],
      calls: [...add("milk"), strike(1)],
      state: [],
    },
    {
      input: 'Put "milk" on the list',
      user: ["Read it out"],
      calls: [...add("milk"), "readList"],
      text: "milk",
      state: ["milk"],
    },
    {
      input: "What is on the list?",
      user: ['Add "salt"'],
      context: { list: listed },
      calls: ["readList", ...add("salt")],
      state: [...listed, "salt"],
    },
    ...talk("Hello", "Thank you", "How long may such a list be?", "Who are you?", "What is 3 times 4?"),
  ],
});
