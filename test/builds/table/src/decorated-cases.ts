import { Agent, toolkit } from "skein";
import type { Case } from "./case.ts";
import { Clerk } from "./clerk.ts";
import type { Session } from "./witness.ts";

export const decoratedCases: readonly Case[] = [
  {
    title: "a decorated method",
    agent: () => new Agent<Session>({ name: "Helper", tools: [toolkit(new Clerk())] }),
    toolName: "file",
    arguments: { letter: "a" },
    receives: ["a", 1],
  },
  {
    title: "a context of a decorated method",
    agent: () => new Agent<Session>({ name: "Helper", tools: [toolkit(new Clerk())] }),
    toolName: "stamp",
    arguments: { text: "paid" },
    receives: ["Ada", "paid"],
  },
];
