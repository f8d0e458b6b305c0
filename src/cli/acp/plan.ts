import type { PlanEntry } from "@agentclientprotocol/sdk";
import { todosOf } from "../../connectors/toolkits/todo/todos-in.ts";
import { printable } from "../text.ts";

/** The plan that a result is: `{ todos: [{ content, status }] }`; `undefined` for another result. */
export function planOf(value: unknown): PlanEntry[] | undefined {
  return todosOf(value)?.map(({ content, status }) => ({
    content: printable(content),
    priority: "medium",
    status,
  }));
}
