import { fingerprint } from "../base/util/fingerprint.ts";
import { printStep, type StepKey, toolAgentId } from "../message/step-key.ts";
import { ownStep } from "./tool-steps.ts";
import type { EarlierStep, ExecutionScope } from "./types.ts";

/** Where the run of an agent is that a call runs. */
export interface AgentPlace {
  readonly step: StepKey;
  /** How it has begun before, if it has: it goes on like that, whatever its tool says by now. */
  readonly earlierWay: "within" | "detached" | undefined;
  /** The agents that another build has run in the call, where it is not certain whether one of them is this one. */
  readonly unclear?: readonly string[];
}

/** An agent that a call runs. */
export interface AgentOfCall {
  readonly name: string;
  readonly input: string;
  /** What tells it from other agents within the call. */
  readonly id: string;
  /** What the call's tool was made of: this agent, another one, or code of its own. */
  readonly toolIsOf: "agent" | "another" | "code";
}

type Steps = NonNullable<ExecutionScope["earlierSteps"]>;

/**
 * The places of the agents that one attempt at a call runs. The agent that a tool was made of has one place, which depends neither on
 * its name nor on its input: another build may have changed these. An agent that a tool's code runs is placed by both. Where a build has
 * made the one of the other, the agent goes on where it was.
 */
export class AgentPlaces {
  readonly #call: StepKey;
  readonly #steps: Steps | undefined;
  /** The ids of places that are some agent's in this attempt. */
  readonly #used = new Set<string>();

  constructor(call: StepKey, steps: Steps | undefined) {
    this.#call = call;
    this.#steps = steps;
  }

  /** The place of an agent, which is from then on no other agent's. */
  use(agent: AgentOfCall): AgentPlace {
    const place = this.#placeOf(agent);
    this.#used.add(place.step.id);
    return place;
  }

  #placeOf(agent: AgentOfCall): AgentPlace {
    const place = this.#at(agent.id);
    if (place.earlierWay || agent.toolIsOf === "another") return place;
    const isOfTool = agent.toolIsOf === "agent";
    const others = this.#others(isOfTool);
    const [id, second] = others.keys();
    if (id === undefined) return place;
    const isSame = isOfTool ? isNamed(id, agent) : id === toolAgentId && hasBegunAs(others.get(id), agent);
    return isSame && second === undefined ? this.#at(id) : { ...place, unclear: [...others.keys()] };
  }

  #at(id: string): AgentPlace {
    const call = this.#call;
    const step: StepKey = { ...call, kind: "run", id, parent: call };
    return { step, earlierWay: this.#steps && wayOf(step, this.#steps()) };
  }

  /** The agents that were placed in the other way, and that this attempt has not come to, with what is there of each. */
  #others(isOfTool: boolean): ReadonlyMap<string, EarlierStep> {
    const start = `${printStep(this.#call)}/`;
    const others = new Map<string, EarlierStep>();
    for (const step of this.#steps?.() ?? []) {
      const id = step.key.startsWith(start) ? idOfAgent(step.key.slice(start.length)) : undefined;
      if (id === undefined || isToolAgent(id) === isOfTool || this.#used.has(id)) continue;
      if (!others.has(id) || step.begin) others.set(id, step);
    }
    return others;
  }
}

function wayOf(step: StepKey, steps: Iterable<EarlierStep>): AgentPlace["earlierWay"] {
  const { parent, id } = step;
  const within = printStep(step);
  const detached = parent && printStep({ ...parent, kind: "step", id: ownStep("runAgent", id), parent });
  for (const { key } of steps) {
    if (key === detached) return "detached";
    if (key === within || key.startsWith(`${within}/`)) return "within";
  }
  return undefined;
}

/** The id of the agent that the rest of a key within a call names. */
function idOfAgent(rest: string): string | undefined {
  const id = /^(?:run\/|step\/context\.runAgent%2F)([^/]+)/.exec(rest)?.[1];
  return id?.replaceAll("%2F", "/").replaceAll("%25", "%");
}

function isToolAgent(id: string): boolean {
  return id === toolAgentId || id.startsWith(`${toolAgentId}/`);
}

/** Whether a place is that of the agent with this input, or with none: so earlier versions named that of the agent of a tool. */
function isNamed(id: string, { name, input }: AgentOfCall): boolean {
  return [input, ""].some((each) => id === `${name}/${fingerprint(each)}`);
}

function hasBegunAs(step: EarlierStep | undefined, { name, input }: AgentOfCall): boolean {
  return step?.begin?.agent === name && step.begin.input === input;
}
