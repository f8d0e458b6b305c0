import type { Agent } from "../../agent/agent.ts";
import { chat } from "./chat.ts";
import { loadAgent } from "../load-agent.ts";
import { modelOrOffline, shareModel } from "../model-or-offline.ts";
import { readSavedState } from "./saved-state.ts";

/** The options of `skein chat`. */
export interface ChatFlags {
  readonly model?: string;
  readonly agent?: string;
  readonly context?: Record<string, unknown>;
  /** A file that `/save` wrote. */
  readonly resume?: string;
  /** The same, by its earlier name. */
  readonly state?: string;
  readonly plain?: boolean;
  readonly debug?: boolean;
}

/**
 * Talks with the agent of a file on standard input and output.
 * @returns whether all was well: with piped input, whether every turn succeeded.
 * @throws ConfigurationError for a file without an agent, tools that cannot be used and a state that cannot be read.
 */
export async function chatCommand(file: string, flags: ChatFlags): Promise<boolean> {
  const { model, context, debug, plain, resume = flags.state } = flags;
  const state = resume === undefined ? undefined : await readSavedState(resume);
  await shareModel(model);
  const loaded = await loadAgent(file, flags.agent);
  const agent = model === undefined ? await withModel(loaded) : loaded;
  const { failedTurns } = await chat(agent, {
    ...(model !== undefined && { model }),
    ...(context && { context }),
    ...(state && { state }),
    ...(debug !== undefined && { debug }),
    ...(plain !== undefined && { plain }),
  });
  // The person at a terminal has seen what failed, and may have fixed it.
  return failedTurns === 0 || process.stdin.isTTY;
}

async function withModel(agent: Agent): Promise<Agent> {
  return agent.model === undefined ? agent.with({ model: await modelOrOffline() }) : agent;
}
