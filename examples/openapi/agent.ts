import { Agent } from "skein";
import { openapi } from "skein/openapi";
import { openShop, serveShop } from "./server.ts";

/** An agent whose tools are the operations of the pet shop's API. What changes something waits for a person's decision. */
export function petShopAgent(baseUrl: string): Agent {
  return new Agent({
    name: "Pet shop",
    instructions:
      "You help the staff of a pet shop. Look pets and customers up before you change anything, and never guess a number.",
    tools: [openapi(new URL("api.yaml", import.meta.url), { baseUrl })],
  });
}

const { url } = await serveShop(openShop());

export const agent: Agent = petShopAgent(url);
