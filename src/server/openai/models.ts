import type { Call } from "../call.ts";
import type { RouteHandler } from "../router.ts";
import type { AnyAgent } from "../../agent/agent.ts";
import { refuse } from "./refuse.ts";

/** `GET /v1/models`: the agents. */
export const listModels: RouteHandler = {
  answer: ({ agents }) => Response.json({ object: "list", data: [...agents.keys()].map(modelOf) }),
  refuse,
};

/** `GET /v1/models/:model`. */
export const readModel: RouteHandler = {
  answer: (call) => {
    const { model = "" } = call.params;
    agentOf(call, model);
    return Response.json(modelOf(model));
  },
  refuse,
};

/** The agent that a client calls its model. @throws Refusal (404) */
export function agentOf(call: Call, model: string): AnyAgent {
  return call.agent(model, "model", "model_not_found");
}

function modelOf(id: string): object {
  return { id, object: "model", created: 0, owned_by: "skein" };
}
