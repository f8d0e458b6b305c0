import { Agent } from "skein";
import type { Case } from "./case.ts";
import { deleteUser, grant, invite, log, moveUser, promote, renameUser, tag, whoAmI } from "./contexts.ts";
import type { Session } from "./witness.ts";

export const contextCases: readonly Case[] = [
  {
    title: "a context, last",
    agent: () => new Agent<Session>({ name: "Desk", tools: [deleteUser] }),
    toolName: "deleteUser",
    arguments: { name: "Bob" },
    receives: ["Bob", "Ada"],
  },
  {
    title: "a context, first",
    agent: () => new Agent<Session>({ name: "Desk", tools: [renameUser] }),
    toolName: "renameUser",
    arguments: { from: "Bob" },
    receives: ["Ada", "Bob", "nobody"],
  },
  {
    title: "a context between others",
    agent: () => new Agent<Session>({ name: "Desk", tools: [moveUser] }),
    toolName: "moveUser",
    arguments: { name: "Bob", team: "red" },
    receives: ["Bob", "Ada", "red"],
  },
  {
    title: "an optional context",
    agent: () => new Agent<Session>({ name: "Desk", tools: [log] }),
    toolName: "log",
    arguments: { text: "a" },
    receives: ["a", "Ada"],
  },
  {
    title: "a context by an alias",
    agent: () => new Agent<Session>({ name: "Desk", tools: [promote] }),
    toolName: "promote",
    arguments: { name: "Bob" },
    receives: ["Bob", "guest"],
  },
  {
    title: "a context alone",
    agent: () => new Agent<Session>({ name: "Desk", tools: [whoAmI] }),
    toolName: "whoAmI",
    arguments: {},
    receives: ["Ada"],
  },
  {
    title: "a destructured context",
    agent: () => new Agent<Session>({ name: "Desk", tools: [grant] }),
    toolName: "grant",
    arguments: { right: "read" },
    receives: ["read", "Ada", "string"],
  },
  {
    title: "a context before a rest parameter",
    agent: () => new Agent<Session>({ name: "Desk", tools: [tag] }),
    toolName: "tag",
    arguments: { words: ["a"] },
    receives: ["Ada", ["a"]],
  },
  {
    title: "a context beside a destructured parameter",
    agent: () => new Agent<Session>({ name: "Desk", tools: [invite] }),
    toolName: "invite",
    arguments: { email: "b@example.com" },
    receives: ["b@example.com", 7, "Ada"],
  },
  {
    title: "a bound function with a context",
    agent: () => new Agent<Session>({ name: "Desk", tools: [moveUser.bind(undefined, "Bob")] }),
    toolName: "moveUser",
    arguments: { team: "red" },
    receives: ["Bob", "Ada", "red"],
  },
];
