import { Agent, type Model } from "skein";
import { linesModel } from "./lines-model.ts";
import { startServer } from "./server.ts";

/** Keeps a list of things to do, with whatever model it is given. */
export function listKeeper(list: string[], model?: Model | string): Agent {
  /**
   * Put something on the list.
   * @param what - What there is to do
   */
  function addItem(what: string) {
    list.push(what);
    return `${what} is number ${list.length} of the list.`;
  }

  /** Read the list out. */
  function readList() {
    return list.length === 0
      ? "The list is empty."
      : list.map((what, index) => `${index + 1}. ${what}`).join("\n");
  }

  /**
   * Strike something off the list, because it is done.
   * @param position - Its number on the list @integer @minimum 1
   */
  function strikeOff(position: number) {
    const [what] = list.splice(position - 1, 1);
    if (what === undefined) throw new Error(`there is no number ${position} on the list`);
    return `${what} is done.`;
  }

  return new Agent({
    name: "List",
    instructions: "Keep the user's list of things to do.",
    tools: [addItem, readList, strikeOff],
    ...(model && { model }),
  });
}

/** On the server that `LINES_URL` names, or on one that is started along with it. */
const url = process.env["LINES_URL"] ?? (await startServer()).url;

export const agent: Agent = listKeeper([], linesModel(url));
