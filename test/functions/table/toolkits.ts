import { toolkit, type ToolContext } from "skein";
import { got, methodRow, theme, type Theme } from "../row.ts";
import { number, object, returned, string } from "../schemas.ts";
import { Host } from "./shared/greeters.ts";

const kit = toolkit(new Host("Welcome"));

class Shelf<Item extends string> {
  readonly items: Item[] = [];
  /** Puts an item there. */
  put(item: Item, context: ToolContext<{ user: string }>): void {
    this.items.push(item);
    got(item, context.context.user);
  }
  /** Looks an item up. */
  async find({ item, from = 0 }: { item: Item; from?: number }): Promise<{ at: number }> {
    got(item, from);
    return { at: this.items.indexOf(item, from) };
  }
  async *watch(times: number): AsyncGenerator<number, { seen: number }> {
    got(times);
    yield this.items.length;
    return { seen: this.items.length };
  }
  /** Empties it. */
  readonly clear = (): number => {
    got();
    return this.items.splice(0).length;
  };
}

const shelf = toolkit(new Shelf<string>());
const counter = {
  total: 0,
  /** Counts up. */
  count(by: number) {
    this.total += by;
    got(by, this.total);
  },
};
const objectKit = toolkit(counter);

const name = {
  schema: object({ name: string }),
  refuses: [
    [{}, "$.name"],
    [{ name: {} }, "$.name"],
  ],
} as const;

export const toolkits: Theme = theme("toolkits", [
  methodRow("a method, overridden", kit, "greet", {
    ...name,
    description: "Greets like a host.",
    accepts: [[{ name: "Ada" }, ["Welcome!", "Ada"]]],
  }),
  methodRow("a method, inherited", kit, "greetLater", {
    schema: object({ name: string, times: { ...number, default: 1 } }, ["times"]),
    output: returned({ times: number }),
    accepts: [[{ name: "Ada" }, ["Welcome", "Ada", 1], { times: 1 }]],
    refuses: [[{ times: 2 }, "$.name"]],
  }),
  methodRow("a field that holds a function", kit, "field", {
    ...name,
    description: "Greets as a field.",
    accepts: [[{ name: "Ada" }, ["Welcome", "Ada"]]],
  }),
  methodRow("with the state of its instance", kit, "letIn", {
    description: "Lets guests in.",
    schema: object({ guests: { ...number, description: "How many", minimum: 1 } }),
    output: number,
    accepts: [
      [{ guests: 2 }, [2], 2],
      [{ guests: 3 }, [3], 5],
    ],
    refuses: [[{ guests: 0 }, "$.guests"]],
  }),
  methodRow("a method that is given the context", shelf, "put", {
    description: "Puts an item there.",
    schema: object({ item: string }),
    accepts: [[{ item: "a" }, ["a", "Ada"]]],
    refuses: [[{ context: {} }, "$.item"]],
  }),
  methodRow("a method whose parameter is destructured", shelf, "find", {
    description: "Looks an item up.",
    schema: object({ item: string, from: { ...number, default: 0 } }, ["from"]),
    output: returned({ at: number }),
    accepts: [[{ item: "a" }, ["a", 0], { at: 0 }]],
    refuses: [[{ from: 1 }, "$.item"]],
  }),
  methodRow("an async generator", shelf, "watch", {
    schema: object({ times: number }),
    output: returned({ seen: number }),
    accepts: [[{ times: 1 }, [1], { seen: 1 }]],
    refuses: [[{}, "$.times"]],
  }),
  methodRow("an arrow function without parameters", shelf, "clear", {
    description: "Empties it.",
    schema: object({}),
    output: number,
    accepts: [
      [{}, [], 1],
      [{}, [], 0],
    ],
    refuses: [[{ all: true }, "$.all"]],
  }),
  methodRow("a method of an object that is no class's", objectKit, "count", {
    description: "Counts up.",
    schema: object({ by: number }),
    accepts: [
      [{ by: 2 }, [2, 2]],
      [{ by: 3 }, [3, 5]],
    ],
    refuses: [[{}, "$.by"]],
  }),
]);
