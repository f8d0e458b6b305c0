import { fingerprint } from "../base/util/fingerprint.ts";
import { printStep, type StepKey } from "../message/step-key.ts";
import { ownStep } from "./tool-steps.ts";
import type { ExecutionScope } from "./types.ts";

/** Where the run of an agent is that a call runs. */
export interface AgentPlace {
  readonly step: StepKey;
  /** How it has begun before, if it has: it goes on like that, whatever its tool says by now. */
  readonly earlierWay: "within" | "detached" | undefined;
}

type Find = ExecutionScope["findEarlier"];

/**
 * The place of an agent within a call.
 * @param id - What tells it from other agents within the call.
 */
export function placeOfAgent(call: StepKey, id: string, find: Find): AgentPlace {
  const step: StepKey = { ...call, kind: "run", id, parent: call };
  return { step, earlierWay: find && wayOf(step, find) };
}

/**
 * The place of the agent that a tool was made of: it does not depend on the agent's name, which another build may have changed.
 * States of earlier versions name it, though.
 */
export function placeOfToolAgent(call: StepKey, id: string, find: Find): AgentPlace {
  const place = placeOfAgent(call, id, find);
  const earlier = place.earlierWay ? undefined : idOfEarlierVersion(call, find);
  return earlier === undefined ? place : placeOfAgent(call, earlier, find);
}

function wayOf(step: StepKey, find: NonNullable<Find>): AgentPlace["earlierWay"] {
  const { parent, id } = step;
  const within = printStep(step);
  const detached = parent && printStep({ ...parent, kind: "step", id: ownStep("runAgent", id), parent });
  const key = find((each) => each === detached || each === within || each.startsWith(`${within}/`));
  if (key === undefined) return undefined;
  return key === detached ? "detached" : "within";
}

/** As it was the agent's name, with the fingerprint of no input. */
const namedByAgent = new RegExp(
  `^(?:run/|step/context\\.runAgent%2F)([^/]*%2F${fingerprint("")})(?:/.*)?$`,
  "s",
);

function idOfEarlierVersion(call: StepKey, find: Find): string | undefined {
  const start = `${printStep(call)}/`;
  const name = (key: string): string | undefined =>
    key.startsWith(start) ? namedByAgent.exec(key.slice(start.length))?.[1] : undefined;
  const key = find?.((each) => name(each) !== undefined);
  return key === undefined ? undefined : name(key)?.replaceAll("%2F", "/").replaceAll("%25", "%");
}
