import { access, readFile, writeFile } from "node:fs/promises";
import { ConfigurationError } from "../../errors.ts";
import type { RunState } from "../../message/run-state.ts";
import { inputMessages } from "../../run/resume/input.ts";
import { errorMessage } from "../../base/util/error-message.ts";
import { isPlainObject } from "../../base/util/json.ts";
import { resumeSession, type ChatSession } from "./session.ts";

/**
 * Reads what `/save` wrote.
 * @throws ConfigurationError (`state-file`) naming the file and what is wrong with it.
 */
export async function readSavedState(file: string): Promise<RunState> {
  try {
    const value: unknown = JSON.parse(await readFile(file, "utf8"));
    if (!isState(value)) throw new Error("it holds no state of version 1");
    inputMessages(value);
    return value;
  } catch (error) {
    throw new ConfigurationError(
      `${file} cannot be resumed: ${errorMessage(error).replace(/\.$/, "")}. Choose a file that /save wrote.`,
      { code: "state-file", cause: error },
    );
  }
}

function isState(value: unknown): value is RunState {
  return (
    isPlainObject(value) &&
    value["version"] === 1 &&
    typeof value["agent"] === "string" &&
    Array.isArray(value["messages"])
  );
}

/** Writes where a conversation stands. @returns what to say about it. */
export async function saveConversation<C>({ state }: ChatSession<C>, file: string): Promise<string> {
  if (file === "") return "Say where: /save chat.json";
  if (!state) return "Nothing has been said yet, so nothing was written.";
  const existed = await exists(file);
  // The conversation and the context are for the person who had it.
  await writeFile(file, `${JSON.stringify(state, undefined, 2)}\n`, { mode: 0o600 });
  return `${existed ? "Replaced" : "Wrote"} ${file}: ${contents(state)}.`;
}

/**
 * Goes on where a saved conversation stood. @returns what to say about it.
 * @throws ConfigurationError (`state-file`), AgentNotFoundError if its agent is not in the team.
 */
export async function loadConversation<C>(session: ChatSession<C>, file: string): Promise<string> {
  if (file === "") return "Say which: /load chat.json";
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the person who loads a file vouches for its context
  const state = (await readSavedState(file)) as RunState<C>;
  resumeSession(session, state);
  return `Going on with ${file}: ${contents(state)}.`;
}

function contents({ messages, agent }: RunState): string {
  const amount = messages.length === 1 ? "1 message" : `${messages.length} messages`;
  return `${amount}, the agent ${agent} and the context`;
}

async function exists(file: string): Promise<boolean> {
  try {
    await access(file);
    return true;
  } catch {
    // Whatever else stands in the way, writing will say it.
    return false;
  }
}
