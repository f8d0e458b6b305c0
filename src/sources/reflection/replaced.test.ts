import { expect, test, vi } from "vitest";
import {
  Agent,
  schemaOf,
  tool,
  toolkit,
  type AgentOptions,
  type ToolContext,
  type ToolSource,
} from "../../index.ts";
import { toolsOf } from "../../agent/agent-tools.ts";
import { registry, replaceEntries, setEntry, Station } from "./fixtures/registry.ts";

/** Sends from someone to someone. */
function send(from: string, to: string): string {
  return `${from} ${to}`;
}

/** Deletes what stands between. */
function erase(to: string, from: string): string {
  return `${to} ${from}`;
}

/** The tools of an agent: names, comments and parameters. */
async function toolsFrom(tools: NonNullable<AgentOptions<unknown>["tools"]>): Promise<unknown> {
  const table = await toolsOf(new Agent({ name: "A", tools }), {});
  return table.tools.map(({ name, description, inputSchema }) => [
    name,
    description,
    Object.keys(Object(inputSchema.jsonSchema["properties"])),
  ]);
}

async function describe(fn: ToolSource<unknown>): Promise<unknown> {
  const [described] = [await toolsFrom([fn])].flat();
  return described;
}

const sent = ["send", "Sends from someone to someone.", ["from", "to"]];
const erased = ["erase", "Deletes what stands between.", ["to", "from"]];

test("an entry of a record that another module assigned to is described as the function that runs", async () => {
  expect(await describe(registry.kept)).toEqual(["first", "First.", ["from", "to"]]);
  replaceEntries();
  expect(await describe(registry.assigned)).toEqual(["second", "Second.", ["to", "from"]]);
  expect(await describe(tool(registry.merged))).toEqual(["third", "Third.", ["to", "from"]]);
  expect(await describe(new Station().move)).toEqual(["patched", undefined, ["to", "from"]]);
});

test("one that takes other arguments is refused", async () => {
  await expect(schemaOf(registry.wider)).rejects.toThrow(
    'No schema is found for the function "counted": it is not the function "first" that the text says: it was replaced, or a subclass overrides it. ' +
      "Pass on a function of your own that calls it, such as (city: string) => tools.fn(city), or an instance by the type of its own class.",
  );
});

test("a method that overrides another with other parameters is refused as one that may be an override", async () => {
  class Base {
    open(door: string): string {
      return door;
    }
  }
  class Derived extends Base {
    override open(door: string | number): string {
      return String(door);
    }
  }
  const base: Base = new Derived();
  await expect(toolkit(base).tools({ context: {}, agent: undefined, messages: [] })).rejects.toThrow(
    /it was replaced, or a subclass overrides it\..*an instance by the type of its own class/,
  );
});

test("one whose context is another's argument is refused", async () => {
  interface Caller {
    readonly context: object;
  }
  const records = { show: (as: Caller): string => JSON.stringify(as.context) };
  setEntry(records, "show", function reveal(as: ToolContext<{ user: string }>): string {
    return as.context.user;
  });
  await expect(schemaOf(records.show)).rejects.toThrow('it is not the function "show" that the text says');
});

test("a list whose elements have moved, and a record whose entries were swapped, are what they hold", async () => {
  const list = [send, erase];
  setEntry(list, 0, erase);
  setEntry(list, 1, send);
  expect(await toolsFrom(list)).toEqual([erased, sent]);
  const record = { one: send, two: erase };
  const swap = (entries: typeof record): void => {
    const { one } = entries;
    entries.one = entries.two;
    entries.two = one;
  };
  swap(record);
  expect(await toolsFrom(record)).toEqual([
    ["one", ...erased.slice(1)],
    ["two", ...sent.slice(1)],
  ]);
});

test("a call that runs again with another function describes that one", async () => {
  const holder = { fn: send };
  const ask = async (): Promise<unknown> => {
    const { name } = await schemaOf(holder.fn);
    return name;
  };
  expect(await schemaOf(send)).toMatchObject({ name: "send" });
  expect(await schemaOf(erase)).toMatchObject({ name: "erase" });
  expect(await ask()).toBe("send");
  setEntry(holder, "fn", erase);
  expect(await ask()).toBe("erase");
});

test("functions of one name with the same code are told apart by where they stand", async () => {
  const byText = { find: (id: string): unknown => id };
  const byNumber = { find: (id: number): unknown => id };
  setEntry(byText, "find", byNumber.find);
  await expect(schemaOf(byText.find)).rejects.toThrow(
    'the function "find" that the text says: it was replaced',
  );
  expect(await schemaOf(byNumber.find)).toMatchObject({
    inputSchema: { properties: { id: { type: "number" } } },
  });
});

test("a method that overrides another keeps the comment of that one, and bound methods are themselves", async () => {
  class Base {
    /** Opens it. */
    open(door: string): string {
      return door;
    }
    /** Shuts it. */
    shut(door: string): string {
      return door;
    }
  }
  class Derived extends Base {
    constructor() {
      super();
      this.shut = this.shut.bind(this);
    }
    override open(door: string, slowly = false): string {
      return `${door} ${slowly}`;
    }
  }
  const base: Base = new Derived();
  const tools = await toolkit(base).tools({ context: {}, agent: undefined, messages: [] });
  expect(tools.map(({ name, description }) => [name, description])).toEqual([
    ["shut", "Shuts it."],
    ["open", "Opens it."],
  ]);
});

test("a mock stands for the function whose place it takes", async () => {
  const tools = { send };
  vi.spyOn(tools, "send");
  const { name, inputSchema } = await schemaOf(tools.send);
  expect([name, Object.keys(Object(inputSchema["properties"]))]).toEqual(["send", ["from", "to"]]);
});
