import { Agent, tool, toolkit, type ToolSource } from "skein";
import { MathKit } from "./kit.js";
import waitUntil, { comparePlaces, getWeather as weather, makeTools } from "./tools.js";

/** An agent of any tools: its callers pass them. */
export function agentOf(tools: readonly ToolSource[]): Agent {
  return new Agent({ name: "Passed on", tools });
}

/** A team, as an application makes it: by a class, with what it is given. */
export class Team {
  private readonly kit = new MathKit(1);

  constructor(private readonly unit: string) {}

  counters(): Agent {
    return new Agent({ name: "Counters", tools: [toolkit(this.kit), tool(weather, { name: "again" })] });
  }

  makers(): Agent {
    const { lookUp } = makeTools(this.unit);
    return new Agent({ name: "Makers", tools: { lookUp, weather, wait: waitUntil, comparePlaces } });
  }
}
