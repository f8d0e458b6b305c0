import { Agent, output, tool, toolkit } from "skein";
import type { Case } from "./case.ts";
import { weather } from "./functions.ts";
import { approvedTransfer, listed, makeTools, MathKit, noted, toBilling, written } from "./objects.ts";
import type { Page } from "./types.ts";
import type { Session } from "./witness.ts";

const kit = new MathKit(1);
const { round, reset } = makeTools("g");

/** Who won. */
interface Verdict {
  /** Their names */
  winners: Page<string>["items"];
  on: Date;
}

export const objectCases: readonly Case[] = [
  {
    title: "a handoff",
    agent: () => new Agent<Session>({ name: "Desk", tools: [toBilling] }),
    toolName: "toBilling",
    arguments: { reason: "money" },
    receives: ["money"],
  },
  {
    title: "a closure of a factory",
    agent: () => new Agent<Session>({ name: "Desk", tools: [makeTools("kg").round] }),
    toolName: "round",
    arguments: { amount: 1.5 },
    receives: ["kg", 1.5, 2],
  },
  {
    title: "a record with shorthands",
    agent: () => new Agent<Session>({ name: "Desk", tools: { round, reset, plus: weather } }),
    toolName: "reset",
    arguments: { to: 1 },
    receives: ["g", 1, "Ada"],
  },
  {
    title: "a bag of tools",
    agent: () => new Agent<Session>({ name: "Desk", tools: makeTools("lb") }),
    toolName: "round",
    arguments: { amount: 1, digits: 0 },
    receives: ["lb", 1, 0],
  },
  {
    title: "a toolkit with private methods",
    agent: () => new Agent<Session>({ name: "Desk", tools: [toolkit(new MathKit(1))] }),
    toolName: "add",
    arguments: { a: 1 },
    receives: [2],
  },
  {
    title: "a toolkit's method with a context",
    agent: () => new Agent<Session>({ name: "Desk", tools: [toolkit(kit)] }),
    toolName: "forget",
    arguments: { why: "all" },
    receives: ["Ada", "all"],
  },
  {
    title: "a bound method",
    agent: () => new Agent<Session>({ name: "Desk", tools: [kit.add.bind(kit)] }),
    toolName: "add",
    arguments: { a: 1, b: 2 },
    receives: [4],
  },
  {
    title: "a bound argument",
    agent: () => new Agent<Session>({ name: "Desk", tools: [weather.bind(undefined, "Paris")] }),
    toolName: "weather",
    arguments: { days: 3 },
    receives: ["Paris", 3],
  },
  {
    title: "a list of another module, spread",
    agent: () =>
      new Agent<Session>({
        name: "Desk",
        tools: [...listed, tool(weather, { name: "again", timeout: 1_000 })],
      }),
    toolName: "transfer",
    arguments: { amount: 60, to: "Bob" },
    receives: [60, "Bob", "Ada"],
  },
  {
    title: "tool(fn) with an approval",
    agent: () => new Agent<Session>({ name: "Desk", tools: [approvedTransfer] }),
    toolName: "transfer_money",
    arguments: { amount: 50, to: "Bob" },
    receives: [50, "Bob", "Ada"],
  },
  {
    title: "tool(fn) with an input",
    agent: () => new Agent<Session>({ name: "Desk", tools: [noted] }),
    toolName: "note",
    arguments: { text: "a", priority: 1 },
    receives: ["a", 1, "Ada"],
  },
  {
    title: "tool({ input, execute })",
    agent: () => new Agent<Session>({ name: "Desk", tools: [written] }),
    toolName: "written",
    arguments: { text: "a" },
    receives: [{ text: "a" }, "Ada"],
    needsNoTypes: true,
  },
  {
    title: "an output type",
    agent: () => new Agent<Session, Verdict>({ name: "Judge", tools: [weather], output: output<Verdict>() }),
    toolName: "weather",
    arguments: { city: "Paris", days: 1 },
    receives: ["Paris", 1],
  },
];
