import type { AnyAgent } from "../agent/agent.ts";
import { isCompleteAgent } from "../agent/handoff.ts";
import { describeArgument, describeValue } from "../base/options/known-options.ts";
import { isPlainObject } from "../base/util/json.ts";
import { toStorable } from "../base/util/storable.ts";
import { InvalidInputError } from "../errors.ts";
import type { CallerTool } from "../run/caller-tools.ts";
import { assertNotStateText, inputMessages, isRunState, snapshotOf } from "../run/resume/input.ts";
import type { RunInput } from "../run/types.ts";
import { DurableRunError } from "./errors.ts";
import { logOf } from "./log-session.ts";
import type { RunRequest } from "./stored-run.ts";
import type { DurableStore } from "./store.ts";
import type { StartRunOptions } from "./types.ts";

/** How many characters of JSON the metadata of a run may have. */
const mostMetadata = 65_536;

/**
 * Adds a run to a store, unless one with its id is there.
 * @param agents - Those that runs are started with.
 * @returns its id, and whether it is new.
 * @throws InvalidInputError; DurableRunError (`run-exists`)
 */
export async function startRun(
  store: DurableStore,
  agents: ReadonlyMap<string, AnyAgent>,
  agent: string | AnyAgent,
  input: Exclude<RunInput, { readonly version: 1 }>,
  options: StartRunOptions,
): Promise<{ readonly id: string; readonly isNew: boolean }> {
  const { id = crypto.randomUUID(), session, at, priority = 0, context, tools: ownTools } = options;
  // At once: the caller may change what it has passed before it is stored.
  const { output, settings, model, metadata } = options;
  const own = snapshotOf(
    {
      ...(output && { output }),
      ...(settings && { settings }),
      ...(model !== undefined && { model }),
      ...(metadata && { metadata }),
    },
    "What start() takes",
  );
  const first = snapshotOf(requestOf(input, context), "What start() takes");
  const callers = snapshotOf(ownTools, "The option tools of start()");
  const name = nameOf(agent, agents);
  const log = logOf(id, session);
  const tools = await callersTools(callers, agents.get(name));
  const request = {
    ...first,
    ...(tools && { tools }),
    ...(await ownSettings(own)),
  };
  const data = { request, inbox: [] };
  const time = at instanceof Date ? at.getTime() : at;
  const [created] = await store.create([
    { id, log, agent: name, priority, data, ...(time !== undefined && { at: time }) },
  ]);
  if (created && !created.isNew && (created.run.agent !== name || created.run.log !== log))
    throw new DurableRunError(
      `The id "${id}" is that of a run of ${created.run.agent} in ${created.run.log === log ? "the same" : "another"} conversation. Use another id, or get("${id}").`,
      "run-exists",
      { id },
    );
  return { id, isNew: created?.isNew ?? false };
}

/** @throws InvalidInputError */
async function callersTools(
  tools: readonly CallerTool[] = [],
  agent: AnyAgent | undefined,
): Promise<readonly CallerTool[] | undefined> {
  if (tools.length === 0 || !agent) return undefined;
  const { readCallerTools } = await import("../run/caller-tools.ts");
  return readCallerTools(tools, agent, "The option tools of start()").plain;
}

/** What the run has beside its agent's own. @throws InvalidInputError */
async function ownSettings({
  output,
  settings,
  model,
  metadata,
}: Pick<StartRunOptions, "output" | "settings" | "model" | "metadata">): Promise<
  Pick<RunRequest, "output" | "settings" | "model" | "metadata">
> {
  const schema =
    output &&
    (await import("../run/caller-tools.ts")).readCallerOutput(output, "The option output of start()");
  return {
    ...(schema && { output: schema }),
    ...(settings !== undefined && { settings: plain(settings, "settings") }),
    ...(model !== undefined && { model }),
    ...(metadata !== undefined && { metadata: plain(metadata, "metadata", mostMetadata) }),
  };
}

/** A copy as JSON. @throws InvalidInputError for what JSON has no form for, and too much of it. */
function plain<T extends object>(value: T, option: string, most = Number.POSITIVE_INFINITY): T {
  const { value: copy, omissions } = toStorable(value, option);
  const [omission] = omissions;
  if (omission)
    throw new InvalidInputError(`${omission.path} of start() is ${omission.what}, which cannot be stored.`);
  const text = JSON.stringify(copy);
  if (text.length > most)
    throw new InvalidInputError(`${option} of start() must have at most ${most} characters as JSON.`);
  const stored: T = JSON.parse(text);
  return stored;
}

function nameOf(agent: string | AnyAgent, agents: ReadonlyMap<string, AnyAgent>): string {
  if (typeof agent !== "string" && !isCompleteAgent(agent))
    throw new InvalidInputError(
      `The first argument of start() must be an agent or its name, not ${describeArgument(agent)}.`,
    );
  const name = typeof agent === "string" ? agent : agent.name;
  const listed = agents.get(name);
  if (listed && (typeof agent === "string" || agent === listed)) return name;
  const names = [...agents.keys()].join(", ") || "none";
  throw new InvalidInputError(
    `start() needs one of the agents that the option agents lists: ${names}. Add "${name}" to them.`,
  );
}

function requestOf(
  input: Exclude<RunInput, { readonly version: 1 }>,
  context: unknown,
): { readonly input: ReturnType<typeof inputMessages>; readonly context?: unknown } {
  const problem = "start() takes a text or a list of messages. A state is resumed with run().";
  if (isRunState(input)) throw new InvalidInputError(problem);
  if (typeof input === "string") assertNotStateText(input, problem);
  const messages = inputMessages(input);
  if (messages.length === 0) throw new InvalidInputError("start() needs a message for the agent.");
  if (context === undefined) return { input: messages };
  const { value, omissions } = toStorable(context, "context");
  const [omission] = omissions;
  if (omission)
    throw new InvalidInputError(
      `${omission.path} is ${omission.what}, which cannot be stored with the run. Pass data alone, and reach the rest from the tools' module.`,
    );
  if (!isPlainObject(value))
    throw new InvalidInputError(
      `The context of start() must be an object, not ${describeValue(context)}. Write { name: value }.`,
    );
  return { input: messages, context: value };
}
