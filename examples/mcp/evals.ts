import { defineEval, type EvalCase, type Evaluation } from "skein/evals";
import { ScriptedModel, type ScriptedToolCall } from "skein/testing";
import { agent, buyer } from "./agent.ts";
import { serveShop, type Visit } from "./shop.ts";
import { serveBrowser } from "./stand-in.ts";

/** Where things are on the pages of the stand-in browser, for models that do it right without looking. */
const refs = { Shop: "e1", Mug: "e3", Scarf: "e4", Lamp: "e5", name: "e3", order: "e4", empty: "e5" };

type Product = "Mug" | "Scarf" | "Lamp";

const open: ScriptedToolCall = { toolName: "openShop" };
const click = (ref: keyof typeof refs): ScriptedToolCall => ({
  toolName: "browser_click",
  arguments: { target: refs[ref] },
});

/** After a product is added comes the basket, so that the way to the next one leads through the shop. */
const adding = (products: readonly Product[]): ScriptedToolCall[] => [
  open,
  ...products.flatMap((product, index) => [...(index === 0 ? [] : [click("Shop")]), click(product)]),
];

const buying = (name: string, products: readonly Product[]): ScriptedToolCall[] => [
  ...adding(products),
  { toolName: "browser_type", arguments: { target: refs.name, text: name } },
  click("order"),
];

/** A model that makes these calls, one a turn. */
const making =
  (calls: readonly ScriptedToolCall[], ...before: readonly string[]) =>
  (): ScriptedModel =>
    new ScriptedModel([...before, ...calls.map((call) => ({ toolCalls: [call] })), "Done."]);

/** However it is done: what counts is the order. */
const buys = (input: string, name: string, ...products: Product[]): EvalCase => ({
  input,
  state: [`${name} ordered ${products.join(", ")}`],
  perfect: making(buying(name, products)),
});

/** Things get into the basket, and are not ordered. */
const collects = (input: string, ...products: Product[]): EvalCase => ({
  input,
  state: [`in the basket: ${products.join(", ")}`],
  perfect: making(adding(products)),
});

/** Answered by looking, without doing anything. */
const looks = (input: string, ...text: (string | RegExp)[]): EvalCase => ({
  input,
  calls: { include: ["openShop"] },
  never: ["browser_type"],
  text,
  state: [],
});

export const evaluation: Evaluation = defineEval({
  name: "mcp",
  agent,
  setup: async () => {
    const shop = await serveShop();
    const { browser, close } = await serveBrowser();
    return {
      agent: buyer(browser, shop.url),
      state: () => inWords(shop.visit),
      close: async () => {
        await close();
        shop.close();
      },
    };
  },
  cases: [
    looks("What does the shop sell?", "Mug", "Scarf", "Lamp"),
    looks("What does a lamp cost?", "40"),
    looks("Which is the cheapest thing in the shop?", /mug/i),
    looks("Which is the dearest thing in the shop?", /lamp/i),
    looks("What would a mug and a scarf cost together?", "32"),
    looks("Does the shop sell bicycles?", /no|not/i),
    looks("Can I get anything for less than 5 euros?", /no|not/i),
    collects("Put a mug into the basket, but do not order it", "Mug"),
    collects("Put a scarf into my basket. I'll order later.", "Scarf"),
    collects("Add a lamp to the basket, no more than that", "Lamp"),
    collects("Put two mugs into the basket, without ordering", "Mug", "Mug"),
    collects("Fill the basket with a mug, then a scarf, then a lamp. Don't order.", "Mug", "Scarf", "Lamp"),
    buys("Order a mug for Ada", "Ada", "Mug"),
    buys("Order a scarf. My name is Ben.", "Ben", "Scarf"),
    buys("Buy the lamp for Cleo", "Cleo", "Lamp"),
    buys("I'm Dan, and I want two mugs", "Dan", "Mug", "Mug"),
    buys("Order a mug, then a lamp, for Eve", "Eve", "Mug", "Lamp"),
    buys("Three scarves for Finn, please", "Finn", "Scarf", "Scarf", "Scarf"),
    buys("Buy the cheapest thing for Gus", "Gus", "Mug"),
    buys("Buy what costs 25 euros for Hana", "Hana", "Scarf"),
    buys("Order the dearest thing in the name of Ida", "Ida", "Lamp"),
    buys("First a scarf, then a mug, and order both for Jo", "Jo", "Scarf", "Mug"),
    buys("Spend exactly 14 euros on mugs for Kim", "Kim", "Mug", "Mug"),
    {
      input: "Order a mug",
      user: ["My name is Ada."],
      state: ["Ada ordered Mug"],
      perfect: making(buying("Ada", ["Mug"]), "What is your name?"),
    },
    {
      input: "Put a lamp into the basket, look at it, and empty the basket again",
      calls: { include: ["openShop", "browser_click", "browser_click"] },
      state: [],
      perfect: making([open, click("Lamp"), click("empty")]),
    },
    { ...looks("Order a bicycle for Ada", /no|not/i), name: "what is not sold is not ordered" },
    { input: "Hello", calls: [], state: [] },
  ],
});

function inWords({ basket, orders }: Visit): string[] {
  const ordered = orders.map(({ name, items }) => `${name} ordered ${items.join(", ")}`);
  return [...ordered, ...(basket.length > 0 ? [`in the basket: ${basket.join(", ")}`] : [])];
}
