import { Agent, tool, type ToolContext } from "skein";
import { FunctionModel } from "skein/testing";
import type { Bank } from "./bank.ts";

/** An agent that pays money back once a person agrees. Its model is a stand-in, so that the demonstration says the same each time. */
export function refundDesk(bank: Bank): Agent {
  /**
   * Pay the price of an order back.
   * @param order - The number of the order
   * @param euros - How much @minimum 1
   */
  function refund(order: number, euros: number, { idempotencyKey }: ToolContext): Promise<string> {
    return bank.pay(euros, `order ${order}, ${idempotencyKey}`);
  }

  const call = { toolCallId: "call-1", toolName: "refund", arguments: { order: 7, euros: 80 } };
  const model = new FunctionModel(({ messages }) =>
    messages.at(-1)?.role === "user" ? { toolCalls: [call] } : "Your money is on its way.",
  );
  return new Agent({ name: "Refunds", model, tools: [tool(refund, { approval: true })] });
}
