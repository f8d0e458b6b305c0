import type { SessionConfigOption, SessionModeState } from "@agentclientprotocol/sdk";
import type { Agent } from "../../agent/agent.ts";
import type { Model } from "../../model/types.ts";
import { closest } from "../../base/util/closest.ts";
import { invalidParams } from "./refusal.ts";

/** An agent that the editor offers. */
export interface OfferedAgent {
  /** The name of its export. */
  readonly id: string;
  readonly agent: Agent;
}

/** What the user may choose. */
export interface Offer {
  readonly agents: readonly [OfferedAgent, ...OfferedAgent[]];
  /** Names of models, besides each agent's own. */
  readonly models: readonly string[];
  /** Used instead of each agent's own, where the command names one. */
  readonly model?: string;
}

/** What is chosen in a session. */
export interface Choice {
  readonly agent: string;
  readonly model: string | null;
}

/** The value that stands for each agent's own model. */
const ownModel = "own";

/** Whether a model is the offline stand-in. */
export function isOffline(model: Model | string | undefined): boolean {
  return typeof model === "object" ? model.provider === "offline" : model === "offline";
}

/** Whether any model that may be chosen takes more than text. */
export function takesImages({ agents, models, model }: Offer): boolean {
  const own = model === undefined ? agents.map(({ agent }) => agent.model) : [model];
  return [...own, ...models].some((each) => !isOffline(each));
}

/** What a session starts with. */
export function defaultChoice({ agents: [first] }: Offer): Choice {
  return { agent: first.id, model: null };
}

/** What is still offered of a choice that was stored. */
export function offeredChoice(offer: Offer, { agent, model }: Choice): Choice {
  const usual = defaultChoice(offer);
  return {
    agent: offer.agents.some(({ id }) => id === agent) ? agent : usual.agent,
    model: model !== null && offer.models.includes(model) ? model : usual.model,
  };
}

/** The agent of a choice. */
export function agentOf({ agents }: Offer, { agent }: Pick<Choice, "agent">): OfferedAgent {
  return agents.find(({ id }) => id === agent) ?? agents[0];
}

/** The agents as modes, for editors that know no options; absent if there is one. */
export function modesOf({ agents }: Offer, { agent }: Choice): { readonly modes?: SessionModeState } {
  if (agents.length < 2) return {};
  const availableModes = agents.map((each) => ({ id: each.id, ...nameOf(each) }));
  return { modes: { currentModeId: agent, availableModes } };
}

/** Agents and models as options of the session; those that leave a choice. */
export function configOptionsOf(
  { agents, models, model: own }: Offer,
  { agent, model }: Choice,
): SessionConfigOption[] {
  const options: SessionConfigOption[] = [];
  if (agents.length > 1)
    options.push({
      type: "select",
      id: "agent",
      name: "Agent",
      category: "mode",
      currentValue: agent,
      options: agents.map((each) => ({ value: each.id, ...nameOf(each) })),
    });
  if (models.length > 0)
    options.push({
      type: "select",
      id: "model",
      name: "Model",
      category: "model",
      currentValue: model ?? ownModel,
      options: [
        { value: ownModel, name: own ?? "The agent's own" },
        ...models.map((name) => ({ value: name, name })),
      ],
    });
  return options;
}

/**
 * The choice after the user has set an option.
 * @throws Refusal for an option or a value that is not offered.
 */
export function choose(offer: Offer, choice: Choice, option: string, value: unknown): Choice {
  const offered = configOptionsOf(offer, choice).find(({ id }) => id === option);
  if (!offered) throw invalidParams(`This session has no option ${JSON.stringify(option.slice(0, 100))}.`);
  const values = option === "agent" ? offer.agents.map(({ id }) => id) : [ownModel, ...offer.models];
  if (typeof value !== "string" || !values.includes(value)) {
    const [suggestion] = typeof value === "string" ? closest(value, values) : [];
    const hint = suggestion === undefined ? "" : ` Did you mean ${suggestion}?`;
    throw invalidParams(`The option ${option} must be one of ${values.join(", ")}.${hint}`);
  }
  if (option === "agent") return { ...choice, agent: value };
  return { ...choice, model: value === ownModel ? null : value };
}

function nameOf({ agent }: OfferedAgent): { readonly name: string; readonly description?: string } {
  const { name, description } = agent;
  return { name, ...(description !== undefined && { description }) };
}
