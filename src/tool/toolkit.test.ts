import { expect, test } from "vitest";
import { executeToolCalls, toolkit } from "../index.ts";
import type { ToolsetContext } from "./types.ts";

test("the functions of a plain object are tools, too", async () => {
  const double = (amount: number): number => amount * 2;
  const [tool] = await toolkit({ double }).tools(scope);
  expect(tool?.name).toBe("double");
  expect(tool?.inputSchema.jsonSchema).toMatchObject({ required: ["amount"] });
});

const scope: ToolsetContext = { context: {}, agent: undefined, messages: [] };

class Base {
  /** Says which kit this is. */
  describe(): string {
    return "a kit";
  }

  /**
   * Resets the books.
   * @internal
   */
  reset(): void {
    throw new Error("nobody calls this");
  }

  /** @private */
  audit(): void {
    throw new Error("nobody calls this");
  }

  /**
   * Reads all.
   * @protected
   */
  export(): void {
    throw new Error("nobody calls this");
  }
}

class Bank extends Base {
  inside = 0;
  most = 0;
  closed = false;

  /** Reads the balance. */
  async balance(): Promise<string> {
    return this.#enter("balance");
  }

  /** Sends money. */
  async send(amount: number): Promise<string> {
    return this.#enter(`sent ${amount}`);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.closed = true;
  }

  async #enter(answer: string): Promise<string> {
    this.most = Math.max(this.most, ++this.inside);
    await new Promise((resolve) => setImmediate(resolve));
    this.inside--;
    return answer;
  }
}

const calls = (...names: readonly string[]) =>
  names.map((toolName, index) => ({
    toolCallId: String(index),
    toolName,
    arguments: toolName === "send" ? '{"amount":1}' : "{}",
  }));

test("public methods are tools, inherited ones too; those that a comment hides are not", async () => {
  const tools = await toolkit(new Bank()).tools(scope);
  expect(tools.map(({ name }) => name).toSorted()).toEqual(["balance", "describe", "send"]);
});

test("options of a method go before those of the toolkit, and false leaves it out", async () => {
  const kit = toolkit(new Bank(), {
    timeout: 5_000,
    methods: { send: { timeout: 100, approval: true, name: "sendMoney" }, describe: false },
  });
  const tools = await kit.tools(scope);
  const policies = Object.fromEntries(tools.map(({ name, policy }) => [name, policy]));
  expect(policies).toEqual({ balance: { timeout: 5_000 }, sendMoney: { timeout: 100, approval: true } });
});

test("the calls of all methods together keep to the toolkit's concurrency", async () => {
  const bank = new Bank();
  const results = await executeToolCalls(calls("balance", "send", "balance", "send", "balance"), [
    toolkit(bank, { concurrency: 2 }),
  ]);
  expect(results.every(({ isError }) => !isError)).toBe(true);
  expect(bank.most).toBe(2);
});

test("without one, each call begins at once", async () => {
  const bank = new Bank();
  await executeToolCalls(calls("balance", "send", "balance"), [toolkit(bank)]);
  expect(bank.most).toBe(3);
});

test("closing a toolkit disposes of its instance", async () => {
  const bank = new Bank();
  await toolkit(bank).close?.();
  expect(bank.closed).toBe(true);
});

test("options of an unknown method are an error that names the closest", () => {
  expect(() => toolkit(new Bank(), { methods: { sent: { timeout: 1 } } })).toThrow(
    /methods of toolkit\(Bank\) has no option "sent"\. Did you mean "send"/,
  );
  // @ts-expect-error -- a misspelled option
  expect(() => toolkit(new Bank(), { timeot: 1 })).toThrow(/has no option "timeot"\. Did you mean "timeout"/);
});
