import { describe, expect, test } from "vitest";
import {
  executeToolCalls,
  schemaOf,
  tool,
  toolkit,
  type ToolSchema,
  type ToolSource,
  type Toolset,
} from "../../index.ts";

interface Port {
  /** Pays money. */
  pay(from: string, to: string): string;
}

abstract class Bank {
  /** Pays money. */
  abstract pay(from: string, to: string): string;
}

class Crossed extends Bank implements Port {
  /** Sends money. */
  pay(to: string, from: string): string {
    return `from ${from} to ${to}`;
  }
}

class Deeper extends Crossed {}

interface Paying {
  readonly pay: (from: string, to: string) => string;
}

class Holding implements Paying {
  readonly pay = (to: string, from: string): string => `from ${from} to ${to}`;
}

interface Store<Item> {
  save(item: Item, at: Item): string;
}

class DateStore implements Store<Date> {
  save(at: Date, item: Date): string {
    return `${item.getTime()} ${at.getTime()}`;
  }
}

class AnyStore<Item extends Date | string> implements Store<Item> {
  save(at: Item, item: Item): string {
    return `${String(item)} ${String(at)}`;
  }
}

function createPort(): Port {
  return new Crossed();
}

const port: Port = new Crossed();
const bank: Bank = new Deeper();
const paying: Paying = new Holding();
const annotated: Port = { pay: (to, from) => `from ${from} to ${to}` };
const banks = new Map<string, Bank>([["first", new Crossed()]]);

async function toolIn(kit: Toolset): Promise<ToolSource<unknown>> {
  const [first] = await kit.tools({ context: {}, agent: undefined, messages: [] });
  if (first === undefined) throw new Error("The toolkit has no tool.");
  return first;
}

/** What a call comes to whose arguments have the names that the function itself gives them. */
async function payBy(source: ToolSource<unknown>): Promise<unknown> {
  const call = { toolCallId: "1", toolName: "pay", arguments: '{"from":"A","to":"B"}' };
  const [result] = await executeToolCalls([call], [source]);
  const [content] = result?.content ?? [];
  return content?.type === "text" ? content.text : content;
}

function namesOf({ inputSchema }: ToolSchema): readonly string[] {
  return Object.keys(Object(inputSchema["properties"]));
}

describe("arguments reach the parameters of the function that runs", () => {
  test("by an interface", async () => {
    expect(await payBy(port.pay)).toBe("from A to B");
    expect(await payBy(port.pay.bind(port))).toBe("from A to B");
    expect(await payBy(createPort().pay)).toBe("from A to B");
    expect(await payBy(paying.pay)).toBe("from A to B");
    expect(await payBy(annotated.pay)).toBe("from A to B");
    expect(await payBy(tool(port.pay, { name: "pay" }))).toBe("from A to B");
  });

  test("by an abstract class", async () => {
    expect(await payBy(bank.pay)).toBe("from A to B");
    expect(await payBy(bank.pay.bind(bank))).toBe("from A to B");
  });

  test("within a toolkit", async () => {
    expect(await payBy(await toolIn(toolkit(port)))).toBe("from A to B");
    expect(await payBy(await toolIn(toolkit(createPort())))).toBe("from A to B");
    expect(await payBy(await toolIn(toolkit(paying)))).toBe("from A to B");
    expect(await payBy(await toolIn(toolkit(annotated)))).toBe("from A to B");
    expect(await payBy(await toolIn(toolkit(bank)))).toBe("from A to B");
    const first = banks.get("first");
    expect(first && (await payBy(await toolIn(toolkit(first))))).toBe("from A to B");
  });

  test("where bind has filled the first of them", async () => {
    expect(namesOf(await schemaOf(port.pay.bind(port, "B")))).toEqual(["from"]);
  });

  test("by a schema of one's own", async () => {
    const text = { type: "string" } as const;
    const input = { type: "object", properties: { from: text, to: text }, required: ["from", "to"] } as const;
    expect(await payBy(tool(port.pay, { name: "pay", input }))).toBe("from A to B");
  });
});

describe("which words a function has", () => {
  test("those of its own comment, where its parameters have other names", async () => {
    expect((await schemaOf(port.pay)).description).toBe("Sends money.");
  });

  test("those of the type, where its parameters have the same names", async () => {
    class Straight implements Port {
      pay(_from: string, to: string, note = ""): string {
        return `from ${_from} to ${to}${note}`;
      }
    }
    class Ignoring implements Port {
      pay(_: string, to: string): string {
        return `to ${to}`;
      }
    }
    class Taking implements Port {
      pay(...names: string[]): string {
        return names.join();
      }
    }
    const ports: readonly Port[] = [new Straight(), new Ignoring(), new Taking(), { pay: () => "" }];
    for (const each of ports) {
      const described = await schemaOf(each.pay);
      expect([described.description, namesOf(described)]).toEqual(["Pays money.", ["from", "to"]]);
    }
  });
});

describe("what a generic type says", () => {
  test("is held against what the function says itself", async () => {
    const store: Store<Date> = new DateStore();
    expect((await schemaOf(store.save)).inputSchema["properties"]).toEqual({
      at: { type: "string", format: "date-time" },
      item: { type: "string", format: "date-time" },
    });
  });

  test("a function whose own types say less is refused", async () => {
    const store: Store<Date> = new AnyStore<Date>();
    await expect(schemaOf(store.save)).rejects.toThrow(
      "its parameters are not those of the type by which it is passed on. " +
        "Pass on a function of your own that calls it, such as (city: string) => tools.fn(city), " +
        "or an instance by the type of its own class",
    );
  });
});

test("a function whose own parameters cannot be described is refused", async () => {
  const loose: Port = { pay: new Function("to", "from", "return from + to") as Port["pay"] };
  await expect(schemaOf(loose.pay)).rejects.toThrow("its code comes from no file");
  const symbols: { pay(from: unknown): string } = { pay: (to: symbol) => String(to) };
  await expect(schemaOf(byType(symbols).pay)).rejects.toThrow('parameter "to"');
});

function byType(value: { pay(from: unknown): string }): { pay(from: unknown): string } {
  return [value][0] ?? value;
}

test("a wrapper of a method that may be another one is refused: what runs within it shows nothing of its own", async () => {
  const logged =
    <Args extends unknown[], Result>(fn: (...args: Args) => Result) =>
    (...args: Args): Result =>
      fn(...args);
  const remedy = "Pass the object by its own type, such as toolkit(new Mine())";
  await expect(schemaOf(logged(port.pay))).rejects.toThrow(remedy);
  await expect(schemaOf(logged(bank.pay.bind(bank)))).rejects.toThrow(remedy);
  await expect(schemaOf(logged(logged(createPort().pay)))).rejects.toThrow(
    'in Crossed.pay, its place is that of "from" in the description',
  );
  const own = new Crossed();
  expect(namesOf(await schemaOf(logged(own.pay)))).toEqual(["to", "from"]);
});

test("a wrapper may give its parameters other names, and not those of others", async () => {
  const renamed = (fn: Port["pay"]): Port["pay"] =>
    fromAnywhere(function pay(a, b) {
      return fn(a, b);
    });
  expect(namesOf(await schemaOf(renamed((from, to) => from + to)))).toEqual(["from", "to"]);
  const flipped = (fn: Port["pay"]): Port["pay"] =>
    fromAnywhere(function pay(to, from) {
      return fn(from, to);
    });
  expect(namesOf(await schemaOf(flipped((from, to) => from + to)))).toEqual(["to", "from"]);
});

/** Returns what it gets, by the type that is expected. */
function fromAnywhere<Fn extends Port["pay"]>(fn: Fn): Port["pay"] {
  return [fn][0] ?? fn;
}
