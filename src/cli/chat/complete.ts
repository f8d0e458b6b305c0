import { readdir } from "node:fs/promises";
import { dirname, join, sep } from "node:path";
import { toolsOf } from "../../agent/agent-tools.ts";
import { providers } from "../../providers/resolution/registry.ts";
import { printable } from "../text.ts";
import { commandArguments } from "./commands.ts";
import type { Completion } from "./edited-lines.ts";
import type { ChatSession } from "./session.ts";

/** The beginnings of models' names. */
const modelNames = [...providers.map(({ info }) => `${info.name}:`), "ollama:", "offline", "own"].sort();

/** What a line being typed may become: commands, and what they take. Nothing else is completed. */
export async function complete<C>(typed: string, session: ChatSession<C>): Promise<Completion> {
  const [, name, rest = ""] = /^\/(\S+)\s+(.*)$/s.exec(typed) ?? [];
  if (name === undefined) return starting(typed, typed.startsWith("/") ? commandLines() : []);
  switch (commandArguments.get(name)) {
    case "FILE":
      return starting(rest, await filesLike(rest));
    case "MODEL":
      return starting(rest, modelNames);
    case "TOOL ARGUMENTS":
      return completeCall(rest, session);
    case undefined:
    default:
      return { matches: [], typed };
  }
}

function commandLines(): readonly string[] {
  return [...commandArguments].map(([name, argument]) => (argument === undefined ? `/${name}` : `/${name} `));
}

/** A tool's name, then the names of its parameters. */
async function completeCall<C>(rest: string, { agent, context }: ChatSession<C>): Promise<Completion> {
  const { tools } = await toolsOf(agent, context ?? {});
  const [, name, argument] = /^(\S+)\s+(.*)$/s.exec(rest) ?? [];
  if (argument === undefined)
    return starting(
      rest,
      tools.map((tool) => `${tool.name} `),
    );
  const tool = tools.find((tool) => tool.name === name);
  const parameters = Object.keys(Object(tool?.inputSchema.jsonSchema["properties"]));
  const last = /\S*$/.exec(argument)?.[0] ?? "";
  return starting(
    last,
    parameters.map((parameter) => `${parameter}=`),
  );
}

async function filesLike(typed: string): Promise<readonly string[]> {
  const folder = typed.endsWith(sep) || typed.endsWith("/") ? typed : dirname(typed);
  const entries = await readdir(folder, { withFileTypes: true });
  const isHere = folder === "." && !typed.startsWith(".");
  return entries.map((entry) => {
    const path = isHere ? entry.name : join(folder, entry.name);
    return entry.isDirectory() ? path + sep : path;
  });
}

function starting(typed: string, all: readonly string[]): Completion {
  // Names of files and tools are written to the terminal as they are.
  return { matches: all.filter((each) => each.startsWith(typed) && printable(each) === each), typed };
}
