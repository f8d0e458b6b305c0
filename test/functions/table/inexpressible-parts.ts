import type { ToolContext } from "skein";
import { inexpressible, theme, type Theme } from "../row.ts";

interface Headed extends Array<string> {
  head: string;
}

/** What cannot be left out, and so is refused. */
export const inexpressibleParts: Theme = theme("what JSON cannot carry in part", [
  inexpressible(
    "an array with a property that must be there",
    function show(names: Headed) {
      return names;
    },
    ["names.head", /list in JSON has no properties/, "head: string"],
  ),
  inexpressible(
    "a tuple with an element that no value has",
    function never(value: [string, never]) {
      return value;
    },
    ["value[1]", /never/, "value: [string, never]"],
  ),
  inexpressible(
    "a context within what could be left out",
    function hide(options: { watch?: { change: () => void; from: ToolContext } }) {
      return options;
    },
    ["options.watch", /ToolContext is injected/, "function hide"],
  ),
  inexpressible(
    "a context as an alternative",
    function mix(from: string | { change: () => void; by: ToolContext }) {
      return from;
    },
    ["from", /ToolContext is injected/, "function mix"],
  ),
]);
