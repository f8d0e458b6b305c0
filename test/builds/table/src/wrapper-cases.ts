import { Agent } from "skein";
import { clean, listen, measure } from "tool-box";
import type { Case } from "./case.ts";
import { got, gotContext, type Session } from "./witness.ts";
import { add, ban, debounce, double, memoize, partial, withLog } from "./wrappers.ts";

listen(got, gotContext);

export const wrapperCases: readonly Case[] = [
  {
    title: "a function in a wrapper of its own type",
    agent: () => new Agent<Session>({ name: "Helper", tools: { double: memoize(double) } }),
    toolName: "double",
    arguments: { amount: 2 },
    receives: [4],
  },
  {
    title: "a function in a wrapper of its parameters",
    agent: () => new Agent<Session>({ name: "Helper", tools: { double: withLog(double) } }),
    toolName: "double",
    arguments: { amount: 2 },
    receives: [4],
  },
  {
    title: "a function in two wrappers",
    agent: () => new Agent<Session>({ name: "Helper", tools: { double: debounce(withLog(double), 1) } }),
    toolName: "double",
    arguments: { amount: 2 },
    receives: [4],
  },
  {
    title: "a partly applied function",
    agent: () => new Agent<Session>({ name: "Helper", tools: { addOne: partial(add, 1) } }),
    toolName: "addOne",
    arguments: { b: 2 },
    receives: [3],
  },
  {
    title: "a context in a wrapper",
    agent: () => new Agent<Session>({ name: "Helper", tools: { ban: withLog(ban) } }),
    toolName: "ban",
    arguments: { name: "Bob", days: 1 },
    receives: ["Bob", 1, "Ada"],
  },
  {
    title: "a function of a package",
    agent: () => new Agent<Session>({ name: "Helper", tools: [measure] }),
    toolName: "measure",
    arguments: { path: { from: "a", to: "b" } },
    receives: [{ from: "a", to: "b" }, "km"],
    needsNoTypes: true,
  },
  {
    title: "a context of a package's function",
    agent: () => new Agent<Session>({ name: "Helper", tools: [clean] }),
    toolName: "clean",
    arguments: { user: "Bob", force: true },
    receives: ["Bob", "Ada", true],
    needsNoTypes: true,
  },
];
