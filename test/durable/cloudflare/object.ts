/** A Worker with a Durable Object whose team works, for tests that kill its process. It tells the test's server what it does. */
import {
  type DurableObjectContext,
  type DurableObjectRuns,
  durableObjectRuns,
} from "skein/durable/cloudflare";
import { doomedContext } from "./doomed-context.ts";
import { textOfEvents } from "../text-of-events.ts";
import { sprinter, team, teamOptions } from "../team.ts";

/** What the Worker is started with. */
interface Bindings {
  readonly TEAM: {
    idFromName(name: string): unknown;
    get(id: unknown): { fetch(request: Request): Promise<Response> };
  };
  /** The address of the test's server. */
  readonly OFFICE: string;
  /** At which write the process dies; never if it is 0. */
  readonly KILL_AT: string;
  /** What each tool takes, in milliseconds. */
  readonly PAUSE: string;
  readonly AGENTS: string;
}

/** What a test asks of a run. */
export interface ObjectRequest {
  readonly action: "start" | "result" | "decide" | "state" | "text" | "cancel" | "list" | "writes" | "retry";
  readonly id: string;
  readonly agent?: string;
  readonly session?: string;
  readonly input?: string;
  readonly at?: number;
  readonly decisions?: Parameters<ReturnType<DurableObjectRuns["get"]>["decide"]>[0];
}

export class Team {
  readonly #runs: DurableObjectRuns;
  readonly #writes: () => number;

  constructor(context: DurableObjectContext, { OFFICE, KILL_AT, PAUSE, AGENTS }: Bindings) {
    const tell = async (path: string, text: string): Promise<void> => {
      const response = await fetch(`${OFFICE}/${path}`, { method: "POST", body: text });
      await response.text();
    };
    const effect = (name: string, key: string): Promise<void> => tell("effect", `${name} ${key}`);
    const doomed = doomedContext(context, Number(KILL_AT), () => tell("kill", ""));
    this.#writes = doomed.writes;
    const agents = [team(effect, Number(PAUSE)), sprinter(effect)];
    this.#runs = durableObjectRuns(doomed.context, {
      agents: agents.filter(({ name }) => AGENTS.includes(name)),
      runOptions: teamOptions,
      version: AGENTS,
    });
  }

  async alarm(info: { readonly retryCount: number }): Promise<void> {
    await this.#runs.alarm(info);
  }

  async fetch(request: Request): Promise<Response> {
    const body: ObjectRequest = await request.json();
    try {
      return Response.json((await this.#answer(body)) ?? null);
    } catch (error) {
      const { code = "unknown", message = "" }: { code?: unknown; message?: unknown } = Object(error);
      return Response.json({ code, message }, { status: 400 });
    }
  }

  async #answer(body: ObjectRequest): Promise<unknown> {
    const { action, id, agent = "Boss", input = "Do it all.", session, at, decisions = [] } = body;
    const handle = this.#runs.get(id);
    switch (action) {
      case "start": {
        const options = { id, ...(session !== undefined && { session }), ...(at !== undefined && { at }) };
        return (await this.#runs.start(agent, input, options)).isNew;
      }
      case "result":
        return handle.result();
      case "decide":
        return handle.decide(decisions);
      case "state":
        return handle.state();
      case "text":
        return textOfEvents(handle.events());
      case "cancel":
        return handle.cancel("Not needed.");
      case "retry":
        return handle.retry();
      case "list":
        return this.#runs.list();
      case "writes":
        return this.#writes();
    }
  }
}

const handler = {
  fetch(request: Request, { TEAM }: Bindings): Promise<Response> {
    return TEAM.get(TEAM.idFromName(new URL(request.url).pathname)).fetch(request);
  },
};

// oxlint-disable-next-line import/no-default-export -- the platform asks for one
export { handler as default };
